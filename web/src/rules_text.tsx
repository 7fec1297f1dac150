// The rules of a game beside its table, a paragraph for each line.
import type { JSX } from "preact";
import { defaultText, readValues, type GameInfo } from "./games";

/** ``spec`` is the game that is played, for the parameters that were chosen; left out: they are not listed. */
export function RulesText(props: { rules: string; info?: GameInfo; spec?: string }): JSX.Element {
  const { info, spec } = props;
  const values = readValues(spec ?? "");
  const chosen = (info?.parameters ?? []).filter((one) => !one.advanced);
  return (
    <details class="panel rules-text" data-testid="rules-here">
      <summary>Rules</summary>
      <Paragraphs text={props.rules} />
      {spec !== undefined && chosen.length > 0 && (
        <>
          <p>In this game:</p>
          <ul data-testid="chosen">
            {chosen.map((one) => (
              <li key={one.name}>
                {one.help}: {inWords(values[one.name] ?? defaultText(one))}
              </li>
            ))}
          </ul>
        </>
      )}
    </details>
  );
}

function inWords(value: string): string {
  return { true: "yes", false: "no" }[value] ?? value.replaceAll("_", " ");
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
