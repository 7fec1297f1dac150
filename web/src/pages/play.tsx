// A new game of any kind: parameters, opponents, seat, one button.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { firstOpponent, opponentText, titleOfAgent, useAgents } from "../agents";
import { CopyField } from "../copy_field";
import { readValues, specOf, titleOf, useGames, type GameInfo } from "../games";
import { keepTimeout, keptTimeout } from "../keys";
import { LinkNote } from "../link_note";
import { Meanings } from "../meanings";
import { invitation, makeGame, spectatorLink } from "../new_game";
import { ParameterFields } from "../parameters";
import { GoOn } from "../recent_games";
import { gameParts } from "../registry";
import { useOneTask } from "../requests";
import { Paragraphs, useRules } from "../rules_text";
import { Link, navigate } from "../router";
import { sentence, upper } from "../values";

const PERSON = "a friend, by link";
const NEW_SEAT = "turns";
const PLAYERS = "players";

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

/** The numbers of players to choose from; empty if the game has one number only. */
function playerCounts(game: GameInfo): number[] {
  const own = game.parameters.find((one) => one.name === PLAYERS);
  if (own === undefined || own.minimum === null || own.maximum === null) return [];
  return Array.from({ length: own.maximum - own.minimum + 1 }, (_, k) => own.minimum! + k);
}

type Invited = { id: string; links: [string, string][] };

function NewGameForm({ game }: { game: GameInfo }): JSX.Element {
  const sizes = Object.keys(game.sizes);
  const wished = new URLSearchParams(location.search); // a link from a saved run names its game and its agent
  const [size, setSize] = useState(sizes[0] ?? "");
  const [values, setValues] = useState<Record<string, string>>(() =>
    wished.has("game") ? readValues(wished.get("game")!) : (game.sizes[size] ?? {}),
  );
  const offered = useAgents(game, specOf(game, values));
  const known = offered.agents ?? game;
  const rules = useRules(game, specOf(game, values));
  const { opponents: agents, agent_summaries: summaries } = known;
  const usual = firstOpponent(known);
  const [opponents, setOpponents] = useState<string[]>(() => wished.getAll("against"));
  const [seat, setSeat] = useState(NEW_SEAT);
  const [seconds, setSeconds] = useState("0.5");
  const { drawnStart, timeouts } = gameParts(game.name);
  const [timeout, chooseTimeout] = useState(() => (timeouts ? keptTimeout(game.name) : 0));
  const [error, setError] = useState("");
  const [invited, setInvited] = useState<Invited | null>(null);
  const players = Math.min(12, Number(values["players"] ?? game.players) || game.players);
  const others = Array.from({ length: Math.max(0, players - 1) }, (_, number) => {
    const chosen = opponents[number] ?? opponents[0] ?? usual;
    return chosen === PERSON || agents.includes(chosen) ? chosen : usual;
  });
  const counts = playerCounts(game);
  const missing = game.opponents.filter((one) => !agents.includes(one) && known.not_offered[one]);
  const friends = others.includes(PERSON);
  const name = (number: number) => game.seats[number] ?? `player ${number + 1}`;

  const [busy, alone] = useOneTask();
  const begin = async () => {
    setError("");
    setInvited(null);
    const mine = seat === NEW_SEAT ? 0 : Math.min(players - 1, Number(seat));
    const sitting = others.map((one) => (one === PERSON ? {} : { agent: one, name: titleOfAgent(known, one) }));
    const seats = [...sitting.slice(0, mine), {}, ...sitting.slice(mine)];
    const request = {
      game: specOf(game, values),
      seats,
      clock: null,
      move_seconds: Number(seconds),
      casual: true,
      timeout_seconds: timeout > 0 ? timeout : undefined,
    };
    try {
      const made = await makeGame(request, mine, { returns: [], rotate: seat === NEW_SEAT });
      if (!friends) {
        navigate(`/game/${made.id}`);
        return;
      }
      const invitations = Object.keys(made.keys)
        .map(Number)
        .filter((number) => number !== mine)
        .map((number): [string, string] => [`Send this link to ${name(number)}`, invitation(made.id, number, made.keys[number]!)]);
      const watching = ["For spectators, who see the game when it is over", spectatorLink(made.id, made.spectator_key)];
      setInvited({ id: made.id, links: [...invitations, watching as [string, string]] });
    } catch (problem) {
      setError((problem as Error).message);
    }
  };
  return (
    <>
      <h1>{titleOf(game.name)}</h1>
      <p class="quiet">{upper(game.summary.replace(/^[^:]*: /, ""))}</p>
      <GoOn game={game.name} />
      <form
        class="panel form"
        onSubmit={(event) => {
          event.preventDefault();
          void alone(begin);
        }}
      >
        <div class="row">
          {counts.length > 0 && (
            <label>
              Players
              <select
                value={String(players)}
                data-testid="players"
                onChange={(event) => setValues({ ...values, players: event.currentTarget.value })}
              >
                {counts.map((one) => (
                  <option key={one}>{one}</option>
                ))}
              </select>
            </label>
          )}
          {others.map((chosen, number) => (
            <label key={number}>
              {others.length === 1 ? "Against" : `Opponent ${number + 1}`}
              <select
                value={chosen}
                data-testid={number === 0 ? "agent" : `agent-${number}`}
                onChange={(event) => {
                  const next = [...others];
                  next[number] = event.currentTarget.value;
                  setOpponents(next);
                }}
              >
                {[...agents, PERSON].map((one) => (
                  <option key={one} value={one}>
                    {one === PERSON ? one : opponentText(known, one)}
                  </option>
                ))}
              </select>
            </label>
          ))}
          {!drawnStart && (
            <label>
              Your seat
              <select value={seat} data-testid="seat" onChange={(event) => setSeat(event.currentTarget.value)}>
                <option value={NEW_SEAT}>{players === 2 ? "first and second player in turn" : "every player in turn"}</option>
                {Array.from({ length: players }, (_, number) => (
                  <option value={String(number)} key={number}>
                    {name(number)}
                  </option>
                ))}
              </select>
            </label>
          )}
          {others.includes("search") && (
            <label>
              Time for each move
              <select value={seconds} onChange={(event) => setSeconds(event.currentTarget.value)}>
                <option value="0.5">half a second</option>
                <option value="2">2 seconds</option>
                <option value="5">5 seconds</option>
              </select>
            </label>
          )}
          {timeouts && (
            <label>
              {timeouts.label}
              <select
                value={String(timeout)}
                data-testid={timeouts.testid}
                onChange={(event) => {
                  chooseTimeout(Number(event.currentTarget.value));
                  keepTimeout(game.name, Number(event.currentTarget.value));
                }}
              >
                {timeouts.choices.map(([value, words]) => (
                  <option value={String(value)} key={value}>
                    {words}
                  </option>
                ))}
              </select>
            </label>
          )}
          {sizes.length > 0 && (
            <label>
              Size
              <select
                value={size}
                data-testid="size"
                onChange={(event) => {
                  setSize(event.currentTarget.value);
                  setValues(game.sizes[event.currentTarget.value]!);
                }}
              >
                {sizes.map((one) => (
                  <option key={one}>{one}</option>
                ))}
              </select>
            </label>
          )}
          <button type="submit" class="action primary" data-testid="start" disabled={busy || !offered.ready}>
            {busy ? "Starting…" : friends ? (others.length === 1 ? "Make the link" : "Make the links") : "Play"}
          </button>
        </div>
        {missing.length > 0 && (
          <p class="quiet" data-testid="not-offered">
            Not offered with these rules: {missing.map((one) => sentence(known.not_offered[one]!)).join(" ")}
          </p>
        )}
        {game.parameters.some((one) => one.name !== PLAYERS || counts.length === 0) && (
          <details>
            <summary>Change the rules</summary>
            <ParameterFields game={game} values={values} onChange={setValues} without={counts.length > 0 ? PLAYERS : undefined} />
          </details>
        )}
        <Meanings title="Who can you play against?" terms={agents.map((one) => [opponentText(known, one), summaries[one] ?? ""])} />
        {(error || offered.error) && (
          <p class="error" role="alert">
            {error || offered.error}
          </p>
        )}
      </form>
      {invited && (
        <section class="panel" aria-label="Invitations">
          {invited.links.map(([label, link], number) => (
            <CopyField key={label} label={label} value={link} testid={`invitation-${number}`} />
          ))}
          <LinkNote />
          <p>
            <Link to={`/game/${invited.id}`} class="button">
              Go to the table
            </Link>
          </p>
        </section>
      )}
      {rules && (
        <section class="panel">
          <h2>Rules</h2>
          <div class="rules" data-testid="rules">
            <Paragraphs text={rules} />
          </div>
        </section>
      )}
    </>
  );
}
