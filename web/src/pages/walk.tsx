import type { JSX } from "preact";

export function WalkPage(): JSX.Element {
  return <h1>walk</h1>;
}
