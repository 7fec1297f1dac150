// Words of a page, explained in a line each; closed until somebody asks.
import type { JSX } from "preact";

export function Meanings(props: { title: string; terms: readonly (readonly [string, string])[] }): JSX.Element {
  return (
    <details class="meanings" data-testid="meanings">
      <summary>{props.title}</summary>
      <dl>
        {props.terms.map(([word, meaning]) => (
          <div key={word}>
            <dt>{word}</dt>{" "}
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
