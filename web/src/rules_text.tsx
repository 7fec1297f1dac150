// The rules of a game beside its table, a paragraph for each line.
import type { JSX } from "preact";

export function RulesText(props: { rules: string }): JSX.Element {
  return (
    <details class="panel rules-text" data-testid="rules-here">
      <summary>Rules</summary>
      <Paragraphs text={props.rules} />
    </details>
  );
}

export function Paragraphs({ text }: { text: string }): JSX.Element {
  return (
    <>
      {text.split("\n").map((line, number) => (
        <p key={number}>{line}</p>
      ))}
    </>
  );
}
