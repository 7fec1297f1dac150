// The games that this browser has played or opened, with a link to go on with each or to review it.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { get } from "./api";
import { titleOf } from "./games";
import { noteResult, recentGames, seatIn, SPECTATOR } from "./keys";
import { resultText } from "./result_text";
import { Link } from "./router";
import { ago, sentence } from "./values";

const SHOWN = 6;
const MOST_OPEN = 3;
const GONE = "It is not on this server any more.";

type Result = { state: "running" | "unknown" } | { state: "over"; returns: number[]; reason: string };

/** Ask how the games ended that ran when this browser last saw them; returns what to say of those that are gone. */
async function askForResults(ids: string[]): Promise<Record<string, string>> {
  const gone: Record<string, string> = {};
  for (const id of ids) {
    const own = seatIn(id);
    if (own === null) continue;
    const found = await get<Result>(`/api/games/${id}/result`, own.key);
    if (found.state === "unknown") gone[id] = GONE;
    if (found.state !== "over") continue;
    noteResult(id, own.seat === SPECTATOR ? sentence(found.reason) : resultText(found.returns, own.seat, found.reason));
  }
  return gone;
}

type Recent = ReturnType<typeof recentGames>[number];

/** The games of this browser, and what to say of those that are gone. */
function useRecentGames(): { games: Recent[]; gone: Record<string, string> } {
  const [games, setGames] = useState(recentGames);
  const [gone, setGone] = useState<Record<string, string>>({});
  useEffect(() => {
    const running = games.filter((one) => one.result === undefined).map((one) => one.id);
    askForResults(running).then(
      (found) => {
        setGone(found);
        setGames(recentGames());
      },
      () => undefined, // without a server the list stays as it was
    );
  }, []);
  return { games, gone };
}

function GameLine(props: { game: Recent; gone?: string }): JSX.Element {
  const { game: one } = props;
  return (
    <li>
      <Link to={`/game/${one.id}`} class="line">
        <span class="name">
          {one.result === undefined ? "Go on" : seatIn(one.id)?.seat === SPECTATOR ? "Look at" : "Review"}: {titleOf(one.game.split("(")[0]!)}
        </span>{" "}
        <span class="quiet">
          {one.players}. {one.result ?? props.gone ?? "Not finished."} {one.score} ({ago(one.when / 1000)})
        </span>
      </Link>
    </li>
  );
}

/** The unfinished games of one kind, where a new one can be begun. */
export function GoOn(props: { game: string }): JSX.Element | null {
  const { games, gone } = useRecentGames();
  const open = games.filter(
    (one) => one.game.split("(")[0] === props.game && one.result === undefined && !gone[one.id] && seatIn(one.id)?.seat !== SPECTATOR,
  );
  if (open.length === 0) return null;
  return (
    <section class="panel go-on" aria-label="Go on with your game" data-testid="go-on">
      <h2>Go on with your game</h2>
      <ul class="game-list">
        {open.slice(0, MOST_OPEN).map((one) => (
          <GameLine key={one.id} game={one} />
        ))}
      </ul>
    </section>
  );
}

export function RecentGames(): JSX.Element | null {
  const [all, setAll] = useState(false);
  const { games, gone } = useRecentGames();
  if (games.length === 0) return null;
  return (
    <section aria-label="Your games" data-testid="recent">
      <h2>Your games</h2>
      <ul class="game-list">
        {(all ? games : games.slice(0, SHOWN)).map((one) => (
          <GameLine key={one.id} game={one} gone={gone[one.id]} />
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
