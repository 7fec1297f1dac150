import type { JSX } from "preact";

export function ArenaPage(): JSX.Element {
  return <h1>arena</h1>;
}
