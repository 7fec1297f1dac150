// The choice of a game with its parameters, as the text by which the server knows it.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useCommand } from "../command";
import { readValues, specOf, titleOf, type GameInfo } from "../games";
import { ParameterFields } from "../parameters";
import { Link } from "../router";
import { sentence } from "../values";
import { OwnGameField, type OwnGames } from "./own_game";

type Values = Record<string, string>;

export function GameChoice(props: {
  games: GameInfo[];
  first: string;
  onChange: (spec: string, game: GameInfo) => void;
  /** Whether the game is to be solved: those that are too large for it stand apart, with the reason. */
  solving?: boolean;
  /** Where games of one's own can be chosen too. */
  own?: OwnGames;
}): JSX.Element {
  const [name, setName] = useState(props.first.split("(")[0]!);
  const [values, setValues] = useState<Values>(() => readValues(props.first));
  const command = useCommand();
  const game = props.games.find((one) => one.name === name);
  const large = props.solving ? props.games.filter((one) => one.too_large) : [];
  const offered = props.games.filter((one) => !large.includes(one));
  const option = (one: GameInfo) => (
    <option value={one.name} key={one.name}>
      {titleOf(one.name)}
    </option>
  );
  const change = (chosen: GameInfo | undefined, now: Values) => {
    if (chosen === undefined) return;
    setName(chosen.name);
    setValues(now);
    props.onChange(specOf(chosen, now), chosen);
  };
  return (
    <>
      <label>
        Game
        <select
          value={name}
          onChange={(event) => change(props.games.find((one) => one.name === event.currentTarget.value), {})}
        >
          {props.games.length === 0 && <option value={name}>{titleOf(name)}</option>}
          {offered.map(option)}
          {large.length > 0 && <optgroup label="Too large with their usual parameters">{large.map(option)}</optgroup>}
        </select>
      </label>
      {game && large.includes(game) && specOf(game, values) === game.name && (
        <p class="too-large" id="too-large" data-testid="too-large">
          {sentence(game.too_large!)}
          {game.trained && (
            <>
              {" "}
              Networks can be trained for it in the <Link to="/arena">arena</Link>.
            </>
          )}
          {game.sampled && (
            <>
              {" "}
              The command line can sample it: <code>{command} solve {game.name} --algorithm mccfr-outcome</code>.
            </>
          )}
        </p>
      )}
      {game !== undefined && game.parameters.length > 0 && (
        <details class="parameters" open={Object.keys(values).length > 0} key={name}>
          <summary>Parameters of {titleOf(game.name)}</summary>
          <ParameterFields game={game} values={values} onChange={(now) => change(game, now)} />
        </details>
      )}
      {props.own && <OwnGameField own={props.own} onAdded={(games) => change(games[0], {})} />}
    </>
  );
}
