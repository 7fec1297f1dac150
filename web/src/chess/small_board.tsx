// A small picture of a board in the fog, for pages that lead to a game.
import type { JSX } from "preact";
import { Piece } from "./pieces";
import { drawnSquares, isPiece } from "./squares";

/** White's view after 1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. d3 Nf6 5. Nc3 d6 6. Bg5 Bg4. */
const MARKS = "R..QK..RPPP..PPP..NP.N....B.P.?.?.?.p?B?.???.n?.?????p??????????";

export function SmallBoard(): JSX.Element {
  return (
    <div class="small-board" aria-hidden="true">
      {drawnSquares(0).map((square) => {
        const mark = MARKS[square]!;
        const dark = (Math.floor(square / 8) + square) % 2 === 0;
        return (
          <span key={square} class={`square ${dark ? "dark" : "light"} ${mark === "?" ? "fog" : ""}`}>
            {isPiece(mark) && <Piece piece={mark} />}
          </span>
        );
      })}
    </div>
  );
}
