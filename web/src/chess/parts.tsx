// What Fog-of-War chess brings to the pages.
import type { JSX } from "preact";
import type { Setup } from "../keys";
import { PERSON } from "../live_game";
import type { Registration } from "../registry";
import { AnalysePage } from "./analyse_page";
import { Board } from "./board";
import { ChessPage } from "./chess_page";
import { ChessReview } from "./chess_review";
import { openingMarks } from "./levels";
import { LiveChess } from "./live_chess";
import { PlayerBar } from "./player_bar";
import { PuzzlesPage } from "./puzzles_page";

export const CHESS: Registration = {
  games: {
    fog_chess: {
      title: "Fog-of-War chess",
      pages: [
        { path: "/chess", menu: "Chess", place: "games", Page: ChessPage },
        { path: "/puzzles", menu: "Puzzles", place: "games", Page: ({ rest }) => <PuzzlesPage id={rest} /> },
        { path: "/analyse", menu: "Analyse", place: "study", Page: AnalysePage },
      ],
      Loading: FirstBoard,
    },
  },
  views: { chess: { Live: LiveChess, Review: ChessReview, reviewAlone: true, inTurn: true } },
};

/** The first board of a game, so that nothing jumps when the game is here. */
function FirstBoard({ setup, words }: { setup: Setup; words: string }): JSX.Element {
  const side = setup.seat === 1 ? 1 : 0;
  const bar = (seat: number) => {
    const name = seat === side ? "You" : (setup.request.seats[seat]?.name ?? PERSON);
    return <PlayerBar name={name} colour={seat === 0 ? "white" : "black"} taken={[]} toMove={false} clock={null} />;
  };
  return (
    <div class="game-layout">
      <div>
        {bar(1 - side)}
        <Board marks={openingMarks(side)} orientation={side} legal={[]} note="" label="Chess board" />
        {bar(side)}
      </div>
      <div class="side">
        <p class="status">{words}</p>
      </div>
    </div>
  );
}
