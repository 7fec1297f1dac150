// A board of squares: click one, or go over them with the arrow keys and choose with Enter.
import type { ComponentChildren, JSX, RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { usePageKeys } from "../page_keys";

export type Cell = {
  square: string;
  /** What a screen reader says after the square's name. */
  words: string;
  /** What is drawn on it, as one letter or word; left out if nothing is. */
  piece?: string;
  class?: string;
  /** Whether it can be chosen now. */
  can: boolean;
  picked?: boolean;
  drawn?: ComponentChildren;
};

const STEPS: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The cell that has the focus, and how the arrow keys lead from one to the next. */
export function useGridKeys<Element extends HTMLElement | SVGElement>(
  count: number,
  columns: number,
  /** Whether the arrow keys lead to the board from anywhere on the page. */
  keys = false,
): { at: number; grid: RefObject<Element | null>; onKeyDown: (event: KeyboardEvent) => void; onFocus: (number: number) => void } {
  const grid = useRef<Element>(null);
  const [focus, setFocus] = useState(0);
  const at = Math.min(focus, count - 1);
  const element = () => grid.current?.querySelectorAll<HTMLElement>('[role="gridcell"]')[at];
  useLayoutEffect(() => {
    if (grid.current?.contains(document.activeElement)) element()?.focus();
  }, [at]);
  usePageKeys((event) => {
    if (!keys || !STEPS[event.key] || document.activeElement !== document.body) return;
    event.preventDefault();
    element()?.focus();
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const column = (at % columns) + step[0];
    const to = Math.floor(at / columns) * columns + step[1] * columns + column;
    if (column >= 0 && column < columns && to >= 0 && to < count) setFocus(to);
  };
  return { at, grid, onKeyDown, onFocus: setFocus };
}

/** What every cell tells scripts and screen readers; one of a board's cells is reached with Tab. */
export function cellAttributes(cell: Cell, focused: boolean) {
  return {
    role: "gridcell",
    class: ["cell", cell.class, cell.can && "can", cell.picked && "picked"].filter(Boolean).join(" "),
    "data-square": cell.square,
    "data-piece": cell.piece,
    "aria-label": `${cell.square}, ${cell.words}`,
    "aria-selected": cell.picked ?? false,
    "aria-disabled": !cell.can,
    tabIndex: focused ? 0 : -1,
  } as const;
}

export function Grid(props: {
  label: string;
  columns: number;
  /** Row by row from the top. */
  cells: readonly Cell[];
  onChoose?: (square: string) => void;
  /** Whether the arrow keys lead here from anywhere on the page. */
  keys?: boolean;
  class?: string;
}): JSX.Element {
  const { cells, columns } = props;
  const { at, grid, onKeyDown, onFocus } = useGridKeys<HTMLDivElement>(cells.length, columns, props.keys);
  const rows = Array.from({ length: Math.ceil(cells.length / columns) }, (_, row) => row);
  return (
    <div
      class={`squares ${props.class ?? ""}`}
      role="grid"
      aria-label={props.label}
      ref={grid}
      style={{ "--columns": columns }}
      onKeyDown={onKeyDown}
    >
      {rows.map((row) => (
        <div role="row" class="squares-row" key={row}>
          {cells.slice(row * columns, (row + 1) * columns).map((cell, column) => {
            const number = row * columns + column;
            return (
              <button
                key={cell.square}
                type="button"
                {...cellAttributes(cell, number === at)}
                onFocus={() => onFocus(number)}
                onClick={() => cell.can && props.onChoose?.(cell.square)}
              >
                {cell.drawn}
              </button>
            );
          })}
        </div>
      ))}
    </div>
  );
}
