// What stripes on the board and ? in the list of moves mean.
import type { JSX } from "preact";

export function FogNotation(): JSX.Element {
  return (
    <div data-testid="notation">
      <p>
        Dark squares are in the fog. <Stripes />
      </p>
      <MoveSigns />
    </div>
  );
}

export function Stripes(): JSX.Element {
  return <>On a striped square something blocks one of your pawns; you cannot see what.</>;
}

const SIGNS = [
  ["?xe4", "a capture on e4 by an unknown piece, or by a pawn from an unknown file"],
  ["?c5", "an unknown piece came to c5"],
  ["h2-?", "a pawn left h2, which you saw, for a square that you do not see"],
  ["Nf6-?", "so did a knight from f6"],
  ["?", "a move that you did not see, even if a piece has come out of the fog since"],
  ["#", "after a capture: it took the king, and the game is over"],
];

/** The signs of the list of moves; ? stands for what one did not see of the other side's move. */
export function MoveSigns(): JSX.Element {
  return (
    <>
      <p>In the list of moves, ? stands for what you did not see of the other side's move:</p>
      <ul>
        {SIGNS.map(([sign, words]) => (
          <li key={sign}>
            <b>{sign}</b>: {words}
          </li>
        ))}
      </ul>
    </>
  );
}
