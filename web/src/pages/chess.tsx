// A new game of Fog-of-War chess: two clicks at most, everything else has a default.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ApiError, post } from "../api";
import { keepKey } from "../keys";
import { navigate } from "../router";

type Level = { name: string; agent: string; seconds: number };

const LEVELS: Level[] = [
  { name: "1 · random moves", agent: "random", seconds: 0.3 },
  { name: "2 · takes what it sees", agent: "greedy", seconds: 0.3 },
  { name: "3 · a short look", agent: "search(steps=100)", seconds: 0.3 },
  { name: "4 · a longer look", agent: "search(steps=1000)", seconds: 0.5 },
  { name: "5 · half a second", agent: "search", seconds: 0.5 },
  { name: "6 · two seconds", agent: "search", seconds: 2 },
  { name: "7 · full strength, five seconds", agent: "search", seconds: 5 },
];

const CLOCKS: { name: string; clock: { seconds: number; increment: number } | null }[] = [
  { name: "no clock", clock: null },
  { name: "3 minutes + 2 s", clock: { seconds: 180, increment: 2 } },
  { name: "10 minutes + 5 s", clock: { seconds: 600, increment: 5 } },
  { name: "30 minutes", clock: { seconds: 1800, increment: 0 } },
];

const RULES = ["chesscom", "openspiel", "fairy", "attacks", "stalemate-wins"];

export function ChessPage(): JSX.Element {
  const [side, setSide] = useState("white");
  const [level, setLevel] = useState(4);
  const [clock, setClock] = useState(0);
  const [rules, setRules] = useState("chesscom");
  const [fen, setFen] = useState("");
  const [friend, setFriend] = useState(false);
  const [error, setError] = useState("");
  const [invitation, setInvitation] = useState("");

  const begin = async () => {
    setError("");
    const chosen = LEVELS[level]!;
    const mine = side === "random" ? Math.floor(2 * Math.random()) : side === "white" ? 0 : 1;
    const parameters = [
      rules === "chesscom" ? "" : `rules="${rules}"`,
      fen.trim() === "" ? "" : `fen="${fen.trim()}"`,
    ].filter(Boolean);
    const opponent = friend ? {} : { agent: chosen.agent, name: `level ${level + 1}` };
    try {
      const made = await post<{ id: string; keys: Record<string, string> }>("/api/games", {
        game: parameters.length > 0 ? `fog_chess(${parameters.join(", ")})` : "fog_chess",
        seats: mine === 0 ? [{}, opponent] : [opponent, {}],
        clock: CLOCKS[clock]!.clock,
        move_seconds: chosen.seconds,
        casual: true,
      });
      keepKey(made.id, mine, made.keys[mine]!);
      if (friend) {
        const other = 1 - mine;
        setInvitation(`${location.origin}/game/${made.id}#seat=${other}&key=${made.keys[other]}`);
        sessionStorage.setItem(`fogtree.invite.${made.id}`, "1");
        setTimeout(() => document.getElementById("invitation")?.focus(), 0);
        setMade(made.id);
      } else navigate(`/game/${made.id}`);
    } catch (problem) {
      setError(problem instanceof ApiError ? problem.message : String(problem));
    }
  };
  const [made, setMade] = useState("");

  return (
    <>
      <h1>Fog-of-War chess</h1>
      <p class="quiet">
        You see your own pieces and the squares they can go to. Nobody tells you of a check: take the king to win.
      </p>
      <form
        class="panel form"
        onSubmit={(event) => {
          event.preventDefault();
          void begin();
        }}
      >
        <div class="row">
          <label>
            You play
            <select value={side} onChange={(event) => setSide(event.currentTarget.value)}>
              <option value="white">White</option>
              <option value="black">Black</option>
              <option value="random">either side</option>
            </select>
          </label>
          <label>
            Against
            <select
              value={friend ? "friend" : "engine"}
              onChange={(event) => setFriend(event.currentTarget.value === "friend")}
            >
              <option value="engine">fogtree</option>
              <option value="friend">a friend, by link</option>
            </select>
          </label>
          {!friend && (
            <label>
              Strength
              <select value={String(level)} onChange={(event) => setLevel(Number(event.currentTarget.value))}>
                {LEVELS.map((one, number) => (
                  <option value={String(number)} key={one.name}>
                    {one.name}
                  </option>
                ))}
              </select>
            </label>
          )}
          <label>
            Clock
            <select value={String(clock)} onChange={(event) => setClock(Number(event.currentTarget.value))}>
              {CLOCKS.map((one, number) => (
                <option value={String(number)} key={one.name}>
                  {one.name}
                </option>
              ))}
            </select>
          </label>
          <button type="submit" class="action primary" data-testid="start">
            Play
          </button>
        </div>
        <details>
          <summary>More choices</summary>
          <div class="row">
            <label>
              Rules
              <select value={rules} onChange={(event) => setRules(event.currentTarget.value)}>
                {RULES.map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            </label>
            <label class="wide">
              Start from (FEN)
              <input value={fen} placeholder="the usual position" onInput={(event) => setFen(event.currentTarget.value)} />
            </label>
          </div>
        </details>
        {error && (
          <p class="error" role="alert">
            {error}
          </p>
        )}
      </form>
      {invitation && (
        <section class="panel">
          <h2>Send this link to your friend</h2>
          <input id="invitation" class="link" readOnly value={invitation} onFocus={(event) => event.currentTarget.select()} />
          <p>
            <button type="button" class="action primary" onClick={() => navigate(`/game/${made}`)}>
              Go to the board
            </button>
          </p>
        </section>
      )}
    </>
  );
}
