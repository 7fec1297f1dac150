// A part of a page that scrolls sideways where there is no room, and a `tall` one also down; by keyboard too.
import type { ComponentChildren, JSX } from "preact";

export function Scroll(props: { label: string; tall?: boolean; children: ComponentChildren }): JSX.Element {
  return (
    <div class={props.tall ? "scroll tall" : "scroll"} role="region" aria-label={props.label} tabIndex={0}>
      {props.children}
    </div>
  );
}
