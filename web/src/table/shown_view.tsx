// The table as it is drawn for one kind of view.
import type { JSX } from "preact";
import { PokerBoard, type PokerView } from "./poker_table";

export function Shown(props: { view: { kind: string; [field: string]: unknown }; names: string[] }): JSX.Element {
  const { view, names } = props;
  if (view.kind === "poker") {
    return (
      <div data-testid="view">
        <PokerBoard view={view as unknown as PokerView} names={names} />
      </div>
    );
  }
  return (
    <div data-testid="view">
      <pre class="table-text">{String(view.text ?? "").trim() || "Nothing to see yet."}</pre>
      {view.reading ? <p class="quiet">You see {String(view.reading)}.</p> : null}
    </div>
  );
}
