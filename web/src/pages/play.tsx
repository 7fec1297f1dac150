// A new game of any kind: parameters, opponent, seat, one button.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { specOf, titleOf, useGames, type GameInfo } from "../games";
import { makeGame } from "../new_game";
import { ParameterFields } from "../parameters";
import { navigate } from "../router";

/** Opponents that make a good first game, the best first. */
const FIRST_CHOICES = ["memory_heuristic", "imperfect_greedy", "search", "greedy", "random"];
const CHEATS = ["all-seeing"];

export function PlayPage({ game: name }: { game: string }): JSX.Element {
  const { games, error } = useGames();
  const game = games.find((one) => one.name === name);
  if (error) {
    return (
      <p class="error" role="alert">
        {error}
      </p>
    );
  }
  if (games.length === 0) return <p class="loading">Loading…</p>;
  if (!game) return <h1>There is no game called “{name}”</h1>;
  return <NewGameForm game={game} key={name} />;
}

function NewGameForm({ game }: { game: GameInfo }): JSX.Element {
  const agents = game.agents.filter((one) => !CHEATS.includes(one));
  const [values, setValues] = useState<Record<string, string>>({});
  const [agent, setAgent] = useState(FIRST_CHOICES.find((one) => agents.includes(one)) ?? agents[0] ?? "random");
  const [seat, setSeat] = useState("turns");
  const [seconds, setSeconds] = useState("0.5");
  const [error, setError] = useState("");
  const players = Number(values["players"] ?? game.players) || game.players;

  const begin = async () => {
    setError("");
    const mine = seat === "turns" ? 0 : Number(seat);
    const seats = Array.from({ length: players }, (_, number) => (number === mine ? {} : { agent, name: agent }));
    const request = { game: specOf(game, values), seats, clock: null, move_seconds: Number(seconds), casual: true };
    try {
      const made = await makeGame(request, mine, { returns: [], rotate: seat === "turns" });
      navigate(`/game/${made.id}`);
    } catch (problem) {
      setError((problem as Error).message);
    }
  };
  return (
    <>
      <h1>{titleOf(game.name)}</h1>
      <p class="quiet">{game.summary.replace(/^[^:]*: /, "")}</p>
      <form
        class="panel form"
        onSubmit={(event) => {
          event.preventDefault();
          void begin();
        }}
      >
        <div class="row">
          <label>
            Against
            <select value={agent} data-testid="agent" onChange={(event) => setAgent(event.currentTarget.value)}>
              {agents.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          </label>
          <label>
            Your seat
            <select value={seat} onChange={(event) => setSeat(event.currentTarget.value)}>
              <option value="turns">a new one every hand</option>
              {Array.from({ length: players }, (_, number) => (
                <option value={String(number)} key={number}>
                  {game.seats[number] ?? `seat ${number}`}
                </option>
              ))}
            </select>
          </label>
          {agent === "search" && (
            <label>
              Time for each move
              <select value={seconds} onChange={(event) => setSeconds(event.currentTarget.value)}>
                <option value="0.5">half a second</option>
                <option value="2">2 seconds</option>
                <option value="5">5 seconds</option>
              </select>
            </label>
          )}
          <button type="submit" class="action primary" data-testid="start">
            Play
          </button>
        </div>
        {game.parameters.length > 0 && (
          <details>
            <summary>Rules and parameters</summary>
            <ParameterFields game={game} values={values} onChange={setValues} />
          </details>
        )}
        {error && (
          <p class="error" role="alert">
            {error}
          </p>
        )}
      </form>
    </>
  );
}
