// A new game of Fog-of-War chess: one button, everything else has a default.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Board } from "./board";
import { ChessHelp } from "./chess_help";
import {
  CLOCKS,
  FIRST_MOVES,
  chessSpec,
  fenMarks,
  keepLevel,
  keptLevel,
  levelName,
  levelText,
  NOT_A_POSITION,
  openingMarks,
} from "./levels";
import { PlayerBar } from "./player_bar";
import { RulesChoice } from "./rules_choice";
import { helpRule } from "./status";
import { CopyField } from "../copy_field";
import { FocusButton } from "../focus_button";
import { useGames } from "../games";
import { LinkNote } from "../link_note";
import { invitation, keepFirstMove, makeGame, spectatorLink, WATCH_LABEL } from "../new_game";
import { GoOn } from "../recent_games";
import { useOneTask } from "../requests";
import { Link, navigate } from "../router";
import { queryValue } from "../study/jobs";

export function ChessPage(): JSX.Element {
  const [side, setSide] = useState(() => queryValue("side") || "white");
  const { games, error: unreachable } = useGames();
  const levels = games.find((game) => game.name === "fog_chess")?.levels ?? [];
  /** The number of the level that was chosen on this page, if one was. */
  const [chosenLevel, setLevel] = useState<number | null>(null);
  const number = chosenLevel ?? keptLevel(levels.length);
  /** The opponent; undefined until the server has told the levels. */
  const level = levels[number - 1];
  const [clock, setClock] = useState(0);
  const [seconds, setSeconds] = useState("");
  const [rules, setRules] = useState(() => queryValue("rules") || "chesscom");
  /** What was chosen; null: help against the engine, none against a person. */
  const [casualChoice, setCasual] = useState<boolean | null>(null);
  const [fen, setFen] = useState(() => queryValue("fen"));
  const [friend, setFriend] = useState(false);
  const casual = casualChoice ?? !friend;
  const [error, setError] = useState("");
  const [invited, setInvited] = useState<{ id: string; link: string; watch: string } | null>(null);

  const [problem, setProblem] = useState("");
  const [, alone] = useOneTask();
  /** Make the game; ``first`` is a move that was made on the board before. */
  const begin = async (first?: string) => {
    setError("");
    if (!ready) return;
    if (level) keepLevel(number);
    const mine = side === "random" ? Math.floor(2 * Math.random()) : side === "white" ? 0 : 1;
    const opponent = friend ? {} : { agent: level!.agent, name };
    try {
      const made = await makeGame(
        {
          game: chessSpec(rules, fen),
          seats: mine === 0 ? [{}, opponent] : [opponent, {}],
          clock: CLOCKS[clock]!.clock,
          move_seconds: time,
          casual,
        },
        mine,
      );
      if (friend) {
        setInvited({ id: made.id, link: invitation(made.id, 1 - mine, made.keys[1 - mine]!), watch: spectatorLink(made.id, made.spectator_key) });
      } else {
        if (first !== undefined) keepFirstMove(made.id, first);
        navigate(`/game/${made.id}`);
      }
    } catch (problem) {
      setError((problem as Error).message);
    }
  };

  const ready = friend || level !== undefined;
  const time = (level?.uses_time && Number(seconds)) || (level?.seconds ?? 1);
  const name = friend ? "Your friend" : level ? levelName(number, level, time) : "fogtree";
  const bar = (mine: boolean) => {
    const colour = mine === (side !== "black") ? "white" : "black";
    return <PlayerBar name={mine ? "You" : name} colour={colour} taken={[]} toMove={false} clock={null} />;
  };
  const given = fenMarks(fen);
  const playable = side === "white" && !friend && ready && fen.trim() === "";
  const help = (
    <label class="switch">
      <input
        type="checkbox"
        checked={casual}
        data-testid="casual"
        onChange={(event) => setCasual(event.currentTarget.checked)}
      />
      {friend
        ? "help for both: each may look into the fog with a search, and ask to take moves back"
        : "casual: moves may be taken back, and you may look into the fog"}
    </label>
  );
  return (
    <div class="game-layout">
      <div class={playable ? "" : "preview"} onClick={invited ? () => navigate(`/game/${invited.id}`) : undefined}>
        {bar(false)}
        <Board
          key={String(playable)}
          marks={given ?? openingMarks(side === "black" ? 1 : 0)}
          orientation={side === "black" ? 1 : 0}
          legal={playable ? FIRST_MOVES : []}
          side={playable ? 0 : undefined}
          keys={playable}
          note="" // the board of the game stands at the same place
          onMove={(move) => void alone(() => begin(move))}
          onProblem={setProblem}
          label={given ? "The first position, which both sides know" : "The first board as you will see it"}
        />
        {bar(true)}
        <p class="names" role="status" data-testid="preview">
          {playable
            ? problem || "You are White: make your first move here, or press Play."
            : invited
              ? "The game is ready. Send the link to your friend, then click the board."
              : `This is a preview: the game begins when you press ${friend ? "Make the link" : "Play"}.`}
          {given && " Both sides know this position when the game begins."}
          {!given && fen.trim() !== "" && ` ${NOT_A_POSITION}`}
        </p>
      </div>
      <div class="side">
        <h1>Fog-of-War chess</h1>
        <p>
          You see your own pieces and the squares they can go to; the rest is fog, behind your own lines too. Nobody tells you of
          a check:{" "}
          <strong>take the king to win</strong>.
        </p>
        <GoOn game="fog_chess" />
        {invited ? (
          <section class="panel form" aria-label="Invitation">
            <CopyField label="Send this link to your friend" value={invited.link} testid="invitation" />
            <FocusButton
              class="action primary large"
              data-testid="to-board"
              onClick={() => navigate(`/game/${invited.id}`)}
            >
              Go to the board
            </FocusButton>
            <p data-testid="help-rule">{helpRule(casual)}</p>
            <CopyField label={WATCH_LABEL} value={invited.watch} testid="spectator-link" />
            <LinkNote />
            <p>
              <button type="button" class="action" onClick={() => setInvited(null)}>
                Make another game
              </button>
            </p>
          </section>
        ) : (
          <form
            class="panel form"
            onSubmit={(event) => {
              event.preventDefault();
              void alone(begin);
            }}
          >
            <button type="submit" class="action primary large" data-testid="start" disabled={!ready}>
              {friend ? "Make the link" : level ? `Play against level ${number}` : "Play"}
            </button>
            {!friend && level && (
              <label>
                <span>
                  Strength: <strong>{number}</strong>, {levelText(level)}
                </span>
                <input
                  type="range"
                  min="1"
                  max={String(levels.length)}
                  value={String(number)}
                  aria-valuetext={`${number}, ${levelText(level)}`}
                  data-testid="strength"
                  onInput={(event) => setLevel(Number(event.currentTarget.value))}
                />
              </label>
            )}
            <div class="row">
              <label>
                You play
                <select value={side} data-testid="side" onChange={(event) => setSide(event.currentTarget.value)}>
                  <option value="white">White</option>
                  <option value="black">Black</option>
                  <option value="random">either side</option>
                </select>
              </label>
              <label>
                Against
                <select
                  value={friend ? "friend" : "engine"}
                  data-testid="against"
                  onChange={(event) => setFriend(event.currentTarget.value === "friend")}
                >
                  <option value="engine">fogtree</option>
                  <option value="friend">a friend, by link</option>
                </select>
              </label>
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
            </div>
            {friend && help}
            <details open={fen !== ""}>
              <summary>More choices</summary>
              {!friend && level?.uses_time && (
                <label>
                  Its time for each move
                  <select value={seconds} data-testid="move-seconds" onChange={(event) => setSeconds(event.currentTarget.value)}>
                    <option value="">as its strength says</option>
                    {["0.5", "1", "2", "5", "10", "30"].map((one) => (
                      <option key={one} value={one}>
                        {one} s
                      </option>
                    ))}
                  </select>
                </label>
              )}
              <RulesChoice value={rules} onChange={setRules} />
              <label>
                Start from (FEN)
                <input
                  value={fen}
                  placeholder="the usual position"
                  onInput={(event) => {
                    setFen(event.currentTarget.value);
                    setError(""); // it was about another position
                  }}
                />
              </label>
              {!friend && help}
            </details>
            {(error || unreachable) && (
              <p class="error" role="alert">
                {error || unreachable}
              </p>
            )}
          </form>
        )}
        <ChessHelp open={false} />
        <p class="quiet">
          <Link to="/puzzles">Puzzles</Link> from games between engines, <Link to="/analyse">analyse a position</Link>, or{" "}
          <Link to="/open">open a record</Link> from a file.
        </p>
      </div>
    </div>
  );
}
