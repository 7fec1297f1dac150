// Everything that was done in a finished game, in words, to be chosen from.
import type { JSX } from "preact";
import { useCentredRow } from "../centred_row";

/** ``lines`` has one per moment; an empty one, such as that of the beginning, is left out. */
export function MovesInWords(props: { lines: string[]; at: number; onChoose: (at: number) => void }): JSX.Element {
  const box = useCentredRow((list) => list.querySelector("[aria-current]")?.parentElement, [props.at]);
  return (
    <div class="move-list in-words" ref={box} tabIndex={0} role="region" aria-label="Moves" data-testid="moves">
      <ol>
        {props.lines.map(
          (line, number) =>
            line && (
              <li key={number}>
                <button type="button" class="move" aria-current={number === props.at ? "step" : undefined} onClick={() => props.onChoose(number)}>
                  {line}
                </button>
              </li>
            ),
        )}
      </ol>
    </div>
  );
}
