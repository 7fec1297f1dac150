// Games in which both choose at once: large buttons with pictures, and at the end both choices.
import type { JSX } from "preact";
import { usePageKeys } from "../page_keys";
import type { Drawing } from "./drawing";

export type ChoiceView = {
  kind: "choice";
  player: number | null;
  options: string[];
  /** What each player chose; null: hidden or not chosen yet. */
  chosen: (string | null)[];
};

export function ChoiceBoard(props: Drawing<ChoiceView>): JSX.Element {
  const { view, names, actions, act } = props;
  usePageKeys((event) => {
    const one = actions[Number(event.key) - 1];
    if (one) act(one.action);
  });
  const me = view.player ?? props.bottom ?? 0;
  if (actions.length > 0) {
    return (
      <div class="picks" role="group" aria-label="Your actions">
        {actions.map((one, number) => (
          <button type="button" class="pick can" key={one.action} data-action={one.action} onClick={() => act(one.action)}>
            <Picture name={one.action} />
            <span>
              <kbd aria-hidden="true">{number + 1}</kbd> {one.label}
            </span>
          </button>
        ))}
      </div>
    );
  }
  return (
    <div class="picks">
      {[me, 1 - me].map((seat) => {
        const chosen = view.chosen[seat] ?? null;
        return (
          <figure class="pick" key={seat} data-piece={chosen ?? undefined}>
            <Picture name={chosen} />
            <figcaption>
              {names[seat]}: <strong>{chosen ?? "hidden"}</strong>
            </figcaption>
          </figure>
        );
      })}
    </div>
  );
}

/** Own drawings; a choice without one is its name alone. */
function Picture({ name }: { name: string | null }): JSX.Element {
  const drawn = name === null ? <path class="question" d="M14 15q0-7 6-7t6 6q0 4-6 6v4M20 30v2" /> : PICTURES[name];
  return (
    <svg class="pick-picture" viewBox="0 0 40 40" aria-hidden="true">
      {drawn}
    </svg>
  );
}

const PICTURES: Record<string, JSX.Element> = {
  heads: (
    <>
      <circle class="coin" cx="20" cy="20" r="16" />
      <circle class="line" cx="20" cy="20" r="13" />
      <path class="line" d="M17 30v-4q-5-1-5-8 0-7 8-7 7 0 7 7l2 4h-2v3h-4v5" />
    </>
  ),
  tails: (
    <>
      <circle class="coin" cx="20" cy="20" r="16" />
      <circle class="line" cx="20" cy="20" r="13" />
      <path class="line" d="M15 15h7q4 0 4 4M20 11v18M26 25h-11M15 29h11" />
    </>
  ),
  rock: <path class="shape" d="M6 27 9 16l9-7 11 3 6 11-4 8H11z" />,
  paper: (
    <>
      <path class="shape" d="M10 5h15l6 6v24H10z" />
      <path class="line" d="M25 5v6h6M14 17h13M14 22h13M14 27h9" />
    </>
  ),
  scissors: (
    <>
      <path class="line" d="M14 26 29 5M26 26 11 5" />
      <circle class="shape" cx="11" cy="30" r="5" />
      <circle class="shape" cx="29" cy="30" r="5" />
    </>
  ),
};
