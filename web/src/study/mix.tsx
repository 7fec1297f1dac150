// A mix of actions as a bar of colours.
import type { JSX } from "preact";
import { actionColour, colour, column, percent } from "./numbers";

/** On a page of fewer pixels a short part has no room for its word. */
const NARROW = 480;

export function Mix(props: { actions: string[]; shares: number[]; faded?: boolean }): JSX.Element {
  const text = props.actions.map((action, k) => `${action} ${percent(props.shares[k])}`).join(", ");
  return (
    <span class={`mix ${props.faded ? "faded" : ""}`} role="img" aria-label={text} title={text}>
      {props.shares.map((share, k) => (
        <span key={k} style={{ flexGrow: share, background: actionColour(k) }}>
          {share > (innerWidth < NARROW ? 0.4 : 0.14) ? props.actions[k] : ""}
        </span>
      ))}
    </span>
  );
}

/** A mix as a bar with every probability as a number below it. */
export function NumberedMix(props: { actions: string[]; shares: number[] }): JSX.Element {
  const numbers = column(props.shares);
  return (
    <>
      <Mix {...props} />
      <span class="mix-numbers">
        {props.actions.map((action, k) => (
          <span key={k}>
            <ActionSwatch index={k} /> {action} {numbers[k]}
          </span>
        ))}
      </span>
    </>
  );
}

export function ActionSwatch(props: { index: number }): JSX.Element {
  return <span class="swatch" style={{ background: actionColour(props.index) }} aria-hidden="true" />;
}

/** The colour of an algorithm. */
export function Swatch(props: { index: number }): JSX.Element {
  return <span class="swatch" style={{ background: colour(props.index) }} aria-hidden="true" />;
}
