// A mix of actions as a bar of colours.
import type { JSX } from "preact";
import { colour, percent } from "./numbers";

export function Mix(props: { actions: string[]; shares: number[]; faded?: boolean }): JSX.Element {
  const text = props.actions.map((action, k) => `${action} ${percent(props.shares[k])}`).join(", ");
  return (
    <span class={`mix ${props.faded ? "faded" : ""}`} role="img" aria-label={text} title={text}>
      {props.shares.map((share, k) => (
        <span key={k} style={{ flexGrow: share, background: colour(k) }}>
          {share > 0.14 ? props.actions[k] : ""}
        </span>
      ))}
    </span>
  );
}

export function Swatch(props: { index: number }): JSX.Element {
  return <span class="swatch" style={{ background: colour(props.index) }} aria-hidden="true" />;
}
