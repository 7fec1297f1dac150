// The games that this browser has played or opened, with a link to go on with each or to review it.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { titleOf } from "./games";
import { recentGames } from "./keys";
import { Link } from "./router";
import { ago } from "./values";

const SHOWN = 6;

export function RecentGames(): JSX.Element | null {
  const [all, setAll] = useState(false);
  const [games] = useState(recentGames);
  if (games.length === 0) return null;
  return (
    <section aria-label="Your games" data-testid="recent">
      <h2>Your games</h2>
      <ul class="game-list">
        {(all ? games : games.slice(0, SHOWN)).map((one) => (
          <li key={one.id}>
            <Link to={`/game/${one.id}`}>
              {one.result === undefined ? "Go on" : "Review"}: {titleOf(one.game.split("(")[0]!)}
            </Link>{" "}
            <span class="quiet">
              {one.players}. {one.result ?? "Not finished."} {one.score} ({ago(one.when / 1000)})
            </span>
          </li>
        ))}
      </ul>
      <p class="quiet">
        {!all && games.length > SHOWN && (
          <button type="button" class="action" onClick={() => setAll(true)}>
            Show all {games.length}
          </button>
        )}{" "}
        This list is kept in this browser.
      </p>
    </section>
  );
}
