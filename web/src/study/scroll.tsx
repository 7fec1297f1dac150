// A part of a page that scrolls sideways where there is no room, also by keyboard.
import type { ComponentChildren, JSX } from "preact";

export function Scroll(props: { label: string; children: ComponentChildren }): JSX.Element {
  return (
    <div class="scroll" role="region" aria-label={props.label} tabIndex={0}>
      {props.children}
    </div>
  );
}
