import type { JSX } from "preact";

export function PlayPage(props: { game: string }): JSX.Element {
  return <h1>{props.game}</h1>;
}
