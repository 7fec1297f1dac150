// The first page: what one can do here.
import type { JSX } from "preact";
import { SmallBoard } from "../chess/small_board";
import { GameList } from "./games";
import { RecentGames } from "../recent_games";
import { Link } from "../router";

export function HomePage(): JSX.Element {
  return (
    <>
      <h1>Games with hidden information</h1>
      <section class="panel card hero">
        <SmallBoard />
        <div>
          <h2>
            <Link to="/chess">Play Fog-of-War chess</Link>
          </h2>
          <p>You see your own pieces and where they can go; the rest is fog. Take the king to win.</p>
          <p class="quiet">Ten strengths, or a friend by link. After the game the fog lifts: see what you missed.</p>
        </div>
      </section>
      <div class="grid">
        <Card to="/puzzles" name="Puzzles">
          Find the best move in a game between engines from what one side could see.
        </Card>
        <Card to="/cambia" name="Play Cambia">
          Swap and snap cards that lie face down; the page remembers those you have seen. The lowest hand wins.
        </Card>
        <Card to="/lab" name="Solver lab">
          Watch algorithms find an equilibrium, and look at what they play.
        </Card>
        <Card to="/walk" name="Walk-through">
          One algorithm, step by step, with every number explained.
        </Card>
        <Card to="/arena" name="Arena">
          Matches between agents, ratings and training runs.
        </Card>
        <Card to="/analyse" name="Analyse a position">
          Let the search look at a position of Fog-of-War chess.
        </Card>
        <Card to="/open" name="Open a record">
          Review a game from a file: with the truth, the analysis and where it surprised.
        </Card>
      </div>
      <RecentGames />
      <h2>All games</h2>
      <GameList />
    </>
  );
}

function Card(props: { to: string; name: string; children: string }): JSX.Element {
  return (
    <div class="panel card">
      <h2>
        <Link to={props.to}>{props.name}</Link>
      </h2>
      <p class="quiet">{props.children}</p>
    </div>
  );
}
