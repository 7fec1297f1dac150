// Phantom tic-tac-toe: own marks, the other's marks that we ran into, and squares that we know nothing about.
import type { JSX } from "preact";
import type { Drawing } from "./drawing";
import { Grid } from "./grid";
import { hiddenCells, type HiddenBoardView } from "./hidden_cells";

export type PhantomView = HiddenBoardView & { kind: "phantom_ttt"; in_a_row: number };

const MARKS = ["X", "O"] as const;

export function PhantomBoard(props: Drawing<PhantomView>): JSX.Element {
  const { view, actions } = props;
  const cells = hiddenCells(view, actions, {
    marks: MARKS,
    words: (seat, met) => (met ? `${MARKS[seat]}, taken by the other` : MARKS[seat]!),
    can: "can be marked",
    drawn: (seat) => <Mark mark={MARKS[seat]!} />,
  });
  return (
    <>
      <Grid label="The board" columns={view.columns} cells={cells} onChoose={props.act} keys={actions.length > 0} class="ttt" />
      {view.player !== null && (
        <p class="board-legend quiet">
          You play {MARKS[view.player]}. Get {view.in_a_row} in a row. Of a grey square you know nothing; a hatched one holds a mark
          of the other that you ran into.
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
