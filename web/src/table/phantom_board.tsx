// Phantom tic-tac-toe: own marks, the other's marks that we ran into, and squares that we know nothing about.
import type { JSX } from "preact";
import type { Drawing } from "./drawing";
import { Grid, type Cell } from "./grid";

export type PhantomView = {
  kind: "phantom_ttt";
  player: number | null;
  columns: number;
  squares: string[];
  marks: Record<string, "X" | "O">;
  in_a_row: number;
  /** The squares of a winning line, in finished games. */
  line?: string[];
};

export function PhantomBoard(props: Drawing<PhantomView>): JSX.Element {
  const { view } = props;
  const { player } = view;
  const mine = player === null ? null : "XO"[player];
  const free = new Set(props.actions.map((one) => one.action));
  const cells = view.squares.map((square): Cell => {
    const mark = view.marks[square];
    const met = mark !== undefined && mine !== null && mark !== mine;
    const words = mark === undefined ? (mine === null ? "empty" : "unknown") : met ? `${mark}, taken by the other` : mark;
    const won = view.line?.includes(square);
    return {
      square,
      words: free.has(square) ? `${words}, can be marked` : words,
      piece: mark,
      class: [mark === undefined && mine !== null && "fog", met && "refused", mark === "X" ? "first" : "second", won && "won"]
        .filter(Boolean)
        .join(" "),
      can: free.has(square),
      drawn: mark && <Mark mark={mark} />,
    };
  });
  return (
    <>
      <Grid label="The board" columns={view.columns} cells={cells} onChoose={props.act} keys={free.size > 0} class="ttt" />
      {mine !== null && (
        <p class="board-legend quiet">
          You play {mine}. Get {view.in_a_row} in a row. Of a grey square you know nothing; a hatched one holds a mark of the
          other that you ran into.
        </p>
      )}
    </>
  );
}

function Mark({ mark }: { mark: "X" | "O" }): JSX.Element {
  return (
    <svg class="mark" viewBox="0 0 20 20" aria-hidden="true">
      {mark === "X" ? <path d="M4.5 4.5 15.5 15.5M15.5 4.5 4.5 15.5" /> : <circle cx="10" cy="10" r="6" />}
    </svg>
  );
}
