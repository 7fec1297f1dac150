// The parameters of a game as fields; those left alone keep their defaults.
import type { JSX } from "preact";
import { defaultText, type GameInfo, type GameParameter } from "./games";

export function ParameterFields(props: {
  game: GameInfo;
  values: Record<string, string>;
  onChange: (values: Record<string, string>) => void;
}): JSX.Element {
  return (
    <div class="parameter-fields">
      {props.game.parameters.map((one) => (
        <Field
          key={one.name}
          parameter={one}
          value={props.values[one.name] ?? defaultText(one)}
          onChange={(value) => props.onChange({ ...props.values, [one.name]: value })}
        />
      ))}
    </div>
  );
}

function Field(props: { parameter: GameParameter; value: string; onChange: (value: string) => void }): JSX.Element {
  const { parameter: one, value, onChange } = props;
  const choices = one.choices?.length ? one.choices : typeof one.default === "boolean" ? ["true", "false"] : null;
  return (
    <label>
      <span>
        <strong>{one.name.replaceAll("_", " ")}</strong> {one.help}
      </span>
      {choices ? (
        <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          {one.default === null && <option value="">usual</option>}
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {{ true: "yes", false: "no" }[choice] ?? choice}
            </option>
          ))}
        </select>
      ) : (
        <input
          value={value}
          inputMode={typeof one.default === "number" ? "numeric" : "text"}
          placeholder={one.default === null ? "usual" : ""}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </label>
  );
}
