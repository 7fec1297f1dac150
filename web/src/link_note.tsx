// What somebody needs who opens a link of this page: the reach of the server, and its access token.
import type { JSX } from "preact";
import { accessToken } from "./api";
import { useCommand } from "./command";

const ONLY_HERE = ["127.0.0.1", "localhost", "[::1]"];

export function LinkNote(): JSX.Element | null {
  const command = useCommand();
  if (accessToken()) {
    return (
      <p class="quiet" data-testid="link-note">
        Links of this page contain the access token of this server: whoever has one can make games and start computations
        here, as you can. Send them only to people you trust.
      </p>
    );
  }
  if (!ONLY_HERE.includes(location.hostname)) return null;
  return (
    <div class="quiet link-note" data-testid="link-note">
      <p>The link works on this computer alone, for instance in another browser or a private window. For a friend on another computer:</p>
      <ol>
        <li>
          Start the server again with <code>{command} serve --host 0.0.0.0 --token SECRET</code>. SECRET is a password of your choice.
        </li>
        <li>
          Open{" "}
          <code>
            {location.protocol}//ADDRESS{location.port && `:${location.port}`}/#token=SECRET
          </code>
          . ADDRESS is your computer's address in the network.
        </li>
        <li>Make a new game there. Its link contains the password: your friend needs nothing else.</li>
      </ol>
      <p>This game is kept when the server starts again, but its link stays one for this computer alone.</p>
    </div>
  );
}
