// The choice of a preset of rules, each said in words.
import type { JSX } from "preact";
import { RULES } from "./levels";

export function RulesChoice(props: { value: string; onChange: (rules: string) => void }): JSX.Element {
  return (
    <label>
      Rules
      <select value={props.value} data-testid="rules" onChange={(event) => props.onChange(event.currentTarget.value)}>
        {RULES.map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
