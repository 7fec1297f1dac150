// What an address shows that leads nowhere.
import type { JSX } from "preact";
import { Link, usePath } from "../router";

export function MissingPage(): JSX.Element {
  return (
    <>
      <h1>There is no such page</h1>
      <p>
        Nothing is to be found at <code>{usePath()}</code>. Check the address, or choose a page above.
      </p>
      <p>
        <Link to="/" class="button">
          Go to the first page
        </Link>
      </p>
    </>
  );
}
