// The choice of a game with its parameters, as the text by which the server knows it.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { GameInfo } from "../pages/home";

type Values = Record<string, string>;

export function GameChoice(props: {
  games: GameInfo[];
  first: string;
  onChange: (spec: string, game: GameInfo) => void;
}): JSX.Element {
  const [name, setName] = useState(props.first.split("(")[0]!);
  const [values, setValues] = useState<Values>(() => readValues(props.first));
  const game = props.games.find((one) => one.name === name);
  const change = (chosen: GameInfo | undefined, now: Values) => {
    setValues(now);
    if (chosen === undefined) return;
    setName(chosen.name);
    props.onChange(spec(chosen, now), chosen);
  };
  return (
    <>
      <label>
        Game
        <select
          value={name}
          onChange={(event) => change(props.games.find((one) => one.name === event.currentTarget.value), {})}
        >
          {props.games.map((one) => (
            <option value={one.name} key={one.name}>
              {one.name.replaceAll("_", " ")}
            </option>
          ))}
        </select>
      </label>
      {game !== undefined && game.parameters.length > 0 && (
        <details class="parameters" open={Object.keys(values).length > 0}>
          <summary>Parameters of {game.name.replaceAll("_", " ")}</summary>
          <div class="row">
            {game.parameters.map((one) => (
              <Parameter
                key={`${name}.${one.name}`}
                info={one}
                value={values[one.name] ?? ""}
                onChange={(value) => change(game, { ...values, [one.name]: value })}
              />
            ))}
          </div>
        </details>
      )}
    </>
  );
}

type ParameterInfo = GameInfo["parameters"][number];

function Parameter(props: { info: ParameterInfo; value: string; onChange: (value: string) => void }): JSX.Element {
  const { info, value } = props;
  const normal = written(info.default);
  return (
    <label title={info.help}>
      {info.name.replaceAll("_", " ")}
      {typeof info.default === "boolean" ? (
        <select value={value || normal} onChange={(event) => props.onChange(event.currentTarget.value)}>
          <option value="True">yes</option>
          <option value="False">no</option>
        </select>
      ) : (
        <input
          size={typeof info.default === "number" ? 5 : 12}
          value={value}
          placeholder={normal}
          onChange={(event) => props.onChange(event.currentTarget.value.trim())}
        />
      )}
      <small>{info.help}</small>
    </label>
  );
}

/** name(key=value, …) with what differs from the defaults. */
function spec(game: GameInfo, values: Values): string {
  const settings = game.parameters.flatMap((one) => {
    const value = values[one.name] ?? "";
    if (value === "" || value === written(one.default)) return [];
    return [`${one.name}=${literal(value)}`];
  });
  return settings.length > 0 ? `${game.name}(${settings.join(", ")})` : game.name;
}

function literal(value: string): string {
  const plain = /^(-?[\d.]+(e-?\d+)?|True|False|None|["'([].*)$/i.test(value);
  if (plain) return value;
  return /^[\d\s,.]+$/.test(value) ? `(${value},)` : JSON.stringify(value);
}

function written(value: unknown): string {
  if (value === true) return "True";
  if (value === false) return "False";
  if (value === null || value === undefined) return "None";
  if (Array.isArray(value)) return `(${value.join(", ")}${value.length === 1 ? "," : ""})`;
  return String(value);
}

/** The settings of a text like leduc_poker(ranks=4, suits=2). */
function readValues(text: string): Values {
  const inner = /^\w+\((.*)\)$/.exec(text)?.[1] ?? "";
  const found: Values = {};
  for (const [, key, value] of inner.matchAll(/(\w+)=("[^"]*"|\([^)]*\)|[^,]+)/g)) {
    found[key!] = value!.replace(/^"(.*)"$/, "$1").trim();
  }
  return found;
}
