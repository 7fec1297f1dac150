import type { JSX } from "preact";

export function LabPage(): JSX.Element {
  return <h1>lab</h1>;
}
