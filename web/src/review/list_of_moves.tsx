// Everything that was done in a finished game, in words, to be chosen from.
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** ``lines`` has one per moment; an empty one, such as that of the beginning, is left out. */
export function ListOfMoves(props: { lines: string[]; at: number; onChoose: (at: number) => void }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const row = box.current?.querySelector<HTMLElement>("[aria-current]")?.parentElement;
    if (box.current && row) box.current.scrollTop = row.offsetTop - box.current.clientHeight / 2;
  }, [props.at]);
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
