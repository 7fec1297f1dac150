// The parameters of a game as fields; those left alone keep their defaults.
import type { JSX, TargetedInputEvent } from "preact";
import { defaultText, type GameInfo, type GameParameter } from "./games";

export function ParameterFields(props: {
  game: GameInfo;
  values: Record<string, string>;
  onChange: (values: Record<string, string>) => void;
  /** A parameter that has its field elsewhere. */
  without?: string;
}): JSX.Element {
  const fields = (advanced: boolean) => (
    <div class="parameter-fields">
      {props.game.parameters
        .filter((one) => one.advanced === advanced && one.name !== props.without)
        .map((one) => (
          <Field
            key={one.name}
            parameter={one}
            value={props.values[one.name] ?? defaultText(one)}
            onChange={(value) => props.onChange({ ...props.values, [one.name]: value })}
          />
        ))}
    </div>
  );
  return (
    <>
      {fields(false)}
      {props.game.parameters.some((one) => one.advanced) && (
        <details class="advanced">
          <summary>Advanced</summary>
          <p class="quiet">For tests and experiments. Leave them as they are for a game that is played for its own sake.</p>
          {fields(true)}
        </details>
      )}
    </>
  );
}

type FieldProps = { parameter: GameParameter; value: string; onChange: (value: string) => void };

const LONGEST_SLIDER = 100;
const LONGEST_LIST = 12;

function Field(props: FieldProps): JSX.Element {
  const { parameter: one } = props;
  const span = one.kind === "whole number" && one.minimum !== null && one.maximum !== null ? one.maximum - one.minimum : Infinity;
  const choices = choicesOf(one, span);
  return (
    <label>
      <span>
        <strong>{one.name.replaceAll("_", " ")}</strong> {one.help}
      </span>
      {choices ? (
        <Select {...props} choices={choices} />
      ) : one.default !== null && span <= LONGEST_SLIDER ? (
        <Slider {...props} />
      ) : (
        <Written {...props} />
      )}
    </label>
  );
}

/** All values of a parameter, where there are few; null elsewhere. */
function choicesOf(one: GameParameter, span: number): string[] | null {
  if (one.choices.length > 0) return one.choices;
  if (one.kind === "switch") return ["true", "false"];
  if (one.default !== null || span > LONGEST_LIST) return null;
  return Array.from({ length: span + 1 }, (_, k) => String(one.minimum! + k));
}

function Select(props: FieldProps & { choices: string[] }): JSX.Element {
  return (
    <select value={props.value} onChange={(event) => props.onChange(event.currentTarget.value)}>
      {props.parameter.default === null && <option value="">usual</option>}
      {props.choices.map((choice) => (
        <option key={choice} value={choice}>
          {{ true: "yes", false: "no" }[choice] ?? choice}
        </option>
      ))}
    </select>
  );
}

function Slider(props: FieldProps): JSX.Element {
  const { parameter: one, value } = props;
  return (
    <span class="slider">
      <input
        type="range"
        min={one.minimum!}
        max={one.maximum!}
        value={value}
        onInput={(event) => props.onChange(event.currentTarget.value)}
      />
      <output>{value}</output>
    </span>
  );
}

function Written(props: FieldProps): JSX.Element {
  const { parameter: one } = props;
  const shared = {
    value: props.value,
    placeholder: one.default === null ? "usual" : "",
    onInput: (event: TargetedInputEvent<HTMLInputElement>) => props.onChange(event.currentTarget.value),
  };
  if (one.kind !== "whole number" && one.kind !== "number") return <input type="text" {...shared} />;
  const step = one.kind === "number" ? "any" : 1;
  return <input type="number" step={step} min={one.minimum ?? undefined} max={one.maximum ?? undefined} {...shared} />;
}
