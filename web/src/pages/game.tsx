import type { JSX } from "preact";

export function GamePage(props: { id: string }): JSX.Element {
  return <h1>{props.id}</h1>;
}
