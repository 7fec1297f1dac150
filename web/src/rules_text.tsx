// The rules of a game beside its table, a paragraph for each line.
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { defaultText, readValues, type GameInfo } from "./games";
import { useSpecAnswer } from "./spec_answer";

/** The rules of a game with its parameters; those of before until the server has answered, empty if it has none. */
export function useRules(info: GameInfo | undefined, spec: string): string {
  const usual = info === undefined || spec === info.name;
  const found = useSpecAnswer<{ rules: string }>("/api/rules", usual ? null : spec);
  const last = useRef("");
  if (info?.rules && usual) last.current = info.rules;
  else if (found?.answer && found.spec === spec) last.current = found.answer.rules;
  return last.current;
}

/** ``spec`` is the game that is played; with ``listing`` the parameters that were chosen stand below. */
export function RulesText(props: { info: GameInfo | undefined; spec: string; listing?: boolean }): JSX.Element | null {
  const { info, spec } = props;
  const rules = useRules(info, spec);
  const values = readValues(spec);
  const chosen = props.listing ? (info?.parameters ?? []).filter((one) => !one.advanced) : [];
  if (!rules) return null;
  return (
    <details class="panel rules-text" data-testid="rules-here">
      <summary>Rules</summary>
      <Paragraphs text={rules} />
      {chosen.length > 0 && (
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
