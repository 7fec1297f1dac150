// The rules of the fog, how to move, and what the signs mean. Only whoever reads it closes it.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { MoveSigns, Stripes } from "./fog_notation";

/** ``open``: whether it is open when the page appears. */
export function ChessHelp(props: { open: boolean }): JSX.Element {
  const [open] = useState(props.open);
  return (
    <details class="quiet chess-help" open={open} data-testid="chess-help">
      <summary>Rules, mouse and keys</summary>
      <h2>Fog</h2>
      <p>
        You see your own pieces and the squares they can go to; the rest is fog. <Stripes /> Nobody tells you of a check: take the king
        to win.
      </p>
      <h2>Moving</h2>
      <ul>
        <li>Drag a piece, or click it and then its target.</li>
        <li>Castling: move the king two squares. Attacks on it do not matter.</li>
        <li>Promotion: a pawn that reaches the last row asks which piece it becomes.</li>
        <li>
          En passant: a pawn that has just gone two squares, past a pawn of yours, can be taken on the square it passed over, at your
          next move only.
        </li>
        <li>
          In advance: while the other side thinks, make your next move as usual. Its squares turn blue, and it is played when your turn
          comes. If it is impossible then, it is dropped and you choose. A pawn on the last row becomes a queen.
        </li>
        <li>To cancel a move set in advance, click a square without a piece of yours, or press Escape.</li>
      </ul>
      <h2>Signs in the list of moves</h2>
      <MoveSigns />
      <h2>Marks of your own</h2>
      <p>
        Press <em>Mark squares</em>
        <span class="keys-note">, or right-click a square and right-drag an arrow</span>
        <span class="touch-note">, or keep your finger on a square</span>. Only you see them.
      </p>
      <div class="keys-note">
        <h2>Keys</h2>
        <p>Arrows move over the board, Enter picks and drops, Escape lets go, M marks a square.</p>
      </div>
    </details>
  );
}
