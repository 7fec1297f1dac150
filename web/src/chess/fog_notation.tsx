// What stripes on the board and ? in the list of moves mean.
import type { JSX } from "preact";

export function FogNotation(): JSX.Element {
  return (
    <span data-testid="notation">
      Dark squares are in the fog. On a striped square something blocks one of your pawns; you cannot see what. In the list of moves, ?
      stands for what you did not see of the other side's move: ?xe4 is a capture on e4 by an unknown piece, or by a pawn from an
      unknown file; ?c5 is an unknown piece that came to c5; h2-? is a pawn, and Nf6-? a knight, that left a square you saw for one you
      do not see; ? alone is a move that you did not see, even if a piece has come out of the fog since. # after a capture: it took the king, and the game is over.
    </span>
  );
}
