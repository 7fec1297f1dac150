// The legal actions as buttons; the keys 1 to 9 choose them too.
import type { JSX } from "preact";
import type { Action } from "../live_game";
import { usePageKeys } from "../page_keys";

/** More buttons than these are drawn without colour. */
const MOST_BRIGHT = 6;

export function ActionButtons(props: {
  actions: readonly Action[];
  act: (action: string) => void;
  /** Whether neither buttons nor keys work yet. */
  locked?: boolean;
}): JSX.Element {
  const { actions, act, locked } = props;
  usePageKeys((event) => {
    // A key that is held down chooses once.
    const chosen = locked || event.repeat ? undefined : actions[Number(event.key) - 1];
    if (chosen) act(chosen.action);
  });
  return (
    <div class="row actions" role="group" aria-label="Your actions">
      {actions.map((one, number) => (
        <button
          type="button"
          class={actions.length > MOST_BRIGHT ? "action" : "action primary"}
          key={one.action}
          data-action={one.action}
          disabled={locked}
          onClick={() => act(one.action)}
        >
          {number < 9 && <kbd aria-hidden="true">{number + 1}</kbd>} {one.label}
        </button>
      ))}
    </div>
  );
}
