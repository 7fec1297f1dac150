// Moves in two columns; as long as the game runs, of the other side's only what was seen.
import type { JSX } from "preact";
import { useCentredRow } from "../centred_row";

/** ``notes`` are signs that stand after the move. */
export type ListedMove = { ply: number; text: string; notes?: string[] };

export function MoveList(props: {
  moves: ListedMove[];
  current?: number;
  onChoose?: (ply: number) => void;
}): JSX.Element {
  const beforeAll = props.current !== undefined && props.moves.every(({ ply }) => ply > props.current!);
  const list = useCentredRow(
    (box) => {
      const current = box.querySelector("[aria-current]")?.closest("tr");
      return current ?? box.querySelector<HTMLElement>(`tbody tr:${beforeAll ? "first" : "last"}-child`);
    },
    [props.moves.length, props.current],
  );
  const rows = new Map<number, (ListedMove | undefined)[]>();
  for (const move of props.moves) {
    const number = Math.floor(move.ply / 2) + 1;
    const row = rows.get(number) ?? [undefined, undefined];
    row[move.ply % 2] = move;
    rows.set(number, row);
  }
  return (
    <div class="move-list" ref={list} tabIndex={0} role="region" aria-label="Moves">
      <table>
        <thead class="sr">
          <tr>
            <th scope="col">Number</th>
            <th scope="col">White</th>
            <th scope="col">Black</th>
          </tr>
        </thead>
        <tbody>
          {[...rows].map(([number, row]) => (
            <tr key={number}>
              <th scope="row">{number}.</th>
              {row.map((move, side) => (
                <td key={side}>{move && <Cell move={move} current={props.current} choose={props.onChoose} />}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {props.moves.length === 0 && <p class="quiet">No moves yet.</p>}
    </div>
  );
}

function Cell(props: { move: ListedMove; current?: number; choose?: (ply: number) => void }): JSX.Element {
  const { move, choose } = props;
  const text = (
    <>
      {move.text}
      {move.notes?.map((sign) => (
        <span class="surprise-sign" key={sign}>
          {sign}
        </span>
      ))}
    </>
  );
  if (!choose) return <span>{text}</span>;
  return (
    <button
      type="button"
      class="move"
      aria-current={props.current === move.ply ? "step" : undefined}
      onClick={() => choose(move.ply)}
    >
      {text}
    </button>
  );
}
