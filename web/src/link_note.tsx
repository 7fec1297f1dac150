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
    <p class="quiet" data-testid="link-note">
      The link works on this computer, for instance in another browser or a private window. For somebody elsewhere, start the
      server with <code>{command} serve --host 0.0.0.0 --token SECRET</code> and open this page by your computer's address.
    </p>
  );
}
