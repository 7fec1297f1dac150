// The table as it is drawn for each kind of view. A game without a drawing of its own is shown as text.
import type { JSX } from "preact";
import type { Action } from "../live_game";
import { BattleshipBoard, type BattleshipView } from "./battleship_board";
import { ChoiceBoard, type ChoiceView } from "./choice_board";
import { DiceBoard, type DiceView } from "./dice_board";
import type { Drawing, LogLine } from "./drawing";
import { GoofspielBoard, type GoofspielView } from "./goofspiel_board";
import { HexBoard, type HexView } from "./hex_board";
import { PhantomBoard, type PhantomView } from "./phantom_board";
import { PokerBoard, type PokerView } from "./poker_table";

export type TableView = { kind: string; moves?: LogLine[]; [field: string]: unknown };
type ShownProps = Omit<Drawing<TableView>, "view"> & { view: TableView };

/** A drawing, the actions that it leaves to plain buttons, and whether reviews show what each player knew beside the truth. */
type DrawnKind = { draw: (props: ShownProps) => JSX.Element; buttons: (action: string) => boolean; apart?: boolean };

const DRAWINGS: Record<string, DrawnKind> = {
  poker: { draw: (props) => <PokerBoard {...as<PokerView>(props)} />, buttons: () => true },
  phantom_ttt: { draw: (props) => <PhantomBoard {...as<PhantomView>(props)} />, buttons: () => false, apart: true },
  hex: { draw: (props) => <HexBoard {...as<HexView>(props)} />, buttons: () => false, apart: true },
  battleship: { draw: (props) => <BattleshipBoard {...as<BattleshipView>(props)} />, buttons: () => false },
  goofspiel: { draw: (props) => <GoofspielBoard {...as<GoofspielView>(props)} />, buttons: () => false },
  liars_dice: { draw: (props) => <DiceBoard {...as<DiceView>(props)} />, buttons: (action) => action === "liar" },
  choice: { draw: (props) => <ChoiceBoard {...as<ChoiceView>(props)} />, buttons: () => false },
};

const as = <View,>(props: ShownProps): Drawing<View> => props as unknown as Drawing<View>;

/** Whether a kind of view has a drawing. */
export const isDrawn = (view: TableView): boolean => view.kind in DRAWINGS;

/** Whether a review draws what each player knew beside the truth. */
export const isDrawnApart = (view: TableView): boolean => DRAWINGS[view.kind]?.apart ?? false;

/** The actions that are chosen by buttons beside the drawing. */
export function buttonsFor(view: TableView, actions: readonly Action[]): readonly Action[] {
  const drawing = DRAWINGS[view.kind];
  return drawing ? actions.filter((one) => drawing.buttons(one.action)) : actions;
}

export function Shown(props: ShownProps): JSX.Element {
  const { view } = props;
  const drawing = DRAWINGS[view.kind];
  return (
    <div data-testid="view">
      {drawing ? (
        <drawing.draw {...props} />
      ) : (
        <>
          <h3 class="table-head">What you know</h3>
          <pre class="table-text">{String(view.text ?? "").trim() || "Nothing to see yet."}</pre>
          {view.reading ? <p class="quiet">This is {String(view.reading)}.</p> : null}
        </>
      )}
    </div>
  );
}
