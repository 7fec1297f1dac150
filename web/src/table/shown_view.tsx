// The table as it is drawn for each kind of view. A game without a drawing of its own is shown as text.
import type { JSX } from "preact";
import type { Action } from "../live_game";
import { viewParts, type ShownProps, type TableView } from "../registry";

/** Whether a kind of view has a drawing. */
export const isDrawn = (view: TableView): boolean => viewParts(view.kind).table !== undefined;

/** Whether a review draws what each player knew beside the truth. */
export const isDrawnApart = (view: TableView): boolean => viewParts(view.kind).table?.apart ?? false;

/** The actions that are chosen by buttons beside the drawing. */
export function buttonsFor(view: TableView, actions: readonly Action[]): readonly Action[] {
  const drawing = viewParts(view.kind).table;
  return drawing ? actions.filter((one) => drawing.buttons(one.action)) : actions;
}

export function Shown(props: ShownProps): JSX.Element {
  const { view } = props;
  const drawing = viewParts(view.kind).table;
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
