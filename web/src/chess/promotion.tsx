// Asks what a pawn becomes; the queen has the focus.
import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Piece } from "./pieces";

const CHOICES: [string, string][] = [
  ["q", "queen"],
  ["r", "rook"],
  ["b", "bishop"],
  ["n", "knight"],
];

export function Promotion(props: { side: 0 | 1; choose: (letter: string | null) => void }): JSX.Element {
  const first = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => first.current?.focus(), []);
  return (
    <div
      class="promotion"
      role="dialog"
      aria-label="Promote to"
      onClick={(event) => event.target === event.currentTarget && props.choose(null)}
      onKeyDown={(event) => event.key === "Escape" && props.choose(null)}
    >
      {CHOICES.map(([letter, name], number) => (
        <button
          type="button"
          key={letter}
          ref={number === 0 ? first : undefined}
          data-promotion={letter}
          aria-label={name}
          onClick={() => props.choose(letter)}
        >
          <Piece piece={props.side === 0 ? letter.toUpperCase() : letter} />
        </button>
      ))}
    </div>
  );
}
