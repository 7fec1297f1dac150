// Steps through the moments of a finished game: buttons and arrow keys.
import type { JSX } from "preact";
import { pressedIn, usePageKeys } from "../page_keys";

export function Stepper(props: { at: number; last: number; onStep: (at: number) => void }): JSX.Element {
  const { at, last, onStep } = props;
  usePageKeys((event) => {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (to === undefined || pressedIn(event, '[role="grid"]')) return; // there the arrows move over the board
    event.preventDefault();
    onStep(Math.max(0, Math.min(last, to)));
  });
  const button = (to: number, sign: string, name: string, test: string) => (
    <button
      type="button"
      class="action"
      aria-label={name}
      data-testid={test}
      disabled={to < 0 || to > last || to === at}
      onClick={() => onStep(to)}
    >
      {sign}
    </button>
  );
  return (
    <div class="row steps" role="group" aria-label="Step through the game">
      {button(0, "«", "To the start", "first")}
      {button(at - 1, "‹", "One step back", "back")}
      <span class="quiet" data-testid="ply">
        {at} of {last}
      </span>
      {button(at + 1, "›", "One step on", "next")}
      {button(last, "»", "To the end", "last")}
    </div>
  );
}
