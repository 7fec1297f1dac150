// The list of all games, each with a link to where it is played.
import type { JSX } from "preact";
import { pageOf, titleOf, useGames } from "../games";
import { Link } from "../router";
import { upper } from "../values";

export function GamesPage(): JSX.Element {
  return (
    <>
      <h1>All games</h1>
      <GameList />
    </>
  );
}

export function GameList(): JSX.Element {
  const { games, error } = useGames();
  return (
    <>
      {error && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      <ul class="grid games">
        {games.map((game) => (
          <li key={game.name} class="panel card">
            <Link to={pageOf(game.name)}>{titleOf(game.name)}</Link>
            <span class="quiet">{upper(game.summary.replace(/^[^:]*: /, ""))}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
