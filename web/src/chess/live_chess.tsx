// A running game of Fog-of-War chess, as one side sees it.
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { GameControls } from "../game_controls";
import { PERSON, type LiveGame, type ViewEvent } from "../live_game";
import { firstMoveTo, takeFirstMove } from "../new_game";
import { play as sound, soundsOn, switchSounds } from "../sounds";
import { failureLine } from "../table/drawing";
import { upper } from "../values";
import { InvitationAgain, WatchLink } from "../watch_link";
import { Board } from "./board";
import { ChessHelp } from "./chess_help";
import { drawnLook, FIRST_CHOICE, FogPanel } from "./fog_panel";
import { follow, lastSquares, NOTHING_KNOWN, takenPieces, type ChessView } from "./history";
import { readLook } from "./look";
import { useMarkers } from "./markers";
import { MoveList } from "./move_list";
import { PlayerBar } from "./player_bar";
import { helpRule, statusText } from "./status";
import { TypedMove } from "./typed_move";
import { usePremove } from "./premove";

export function LiveChess({ id, live }: { id: string; live: LiveGame }): JSX.Element {
  const start = live.start!;
  const views = live.views as ViewEvent<ChessView>[];
  const now = views.at(-1)!;
  const side = start.seat as 0 | 1;
  const known = useRef(NOTHING_KNOWN);
  known.current = follow(known.current, views);
  const { plies } = known.current;
  const last = plies.at(-1);
  const [flipped, setFlipped] = useState(false);
  const [looking, setLooking] = useLooking(id);
  const [choice, setChoice] = useState(FIRST_CHOICE);
  const [loud, setLoud] = useState(soundsOn());
  const own = useMarkers(id);
  const [marking, setMarking] = useState(false);
  const [problem, setProblem] = useState("");
  useLayoutEffect(() => {
    setProblem("");
    setChoice((before) => ({ ...before, board: null })); // a guessed board is one of this moment
  }, [now.n]);
  const [focusOn] = useState(() => firstMoveTo(id)); // before the move is taken
  const [premove, setPremove] = usePremove(id, now, live.act, () => takeFirstMove(id));
  useSounds(plies.length, last?.taken !== null && last?.taken !== undefined);

  useEffect(() => {
    if (looking && now.turn) live.send({ type: "look" });
  }, [looking, now.n]);

  const orientation = (flipped ? 1 - side : side) as 0 | 1;
  const look = looking ? readLook(live.look) : null;
  const drawn = drawnLook(look, choice);
  const bar = (seat: 0 | 1) => (
    <PlayerBar
      name={seat === side ? "You" : start.players[seat] === PERSON ? "Your friend" : start.players[seat]!}
      colour={start.seats[seat]!}
      taken={takenPieces(plies, seat === 1)}
      toMove={now.view.mover === seat}
      here={seat !== side && start.players[seat] === PERSON && live.present ? live.present.includes(seat) : undefined}
      clock={now.clock && { seconds: now.clock[seat]!, running: now.view.mover === seat && live.waiting.length === 0, since: now.arrived }}
    />
  );
  return (
    <div class={looking ? "game-layout looking" : "game-layout"}>
      <div>
        {bar((1 - orientation) as 0 | 1)}
        <Board
          marks={[...now.view.marks]}
          orientation={orientation}
          legal={live.actions.map((one) => one.action)}
          side={side}
          onMove={live.act}
          onProblem={setProblem}
          premove={premove}
          onPremove={setPremove}
          lastMove={lastSquares(plies, side)}
          arrows={[...drawn.arrows, ...own.arrows]}
          ghosts={drawn.ghosts}
          shades={drawn.shades}
          note={drawn.note}
          markers={own.markers}
          onMarker={own.mark}
          onArrow={own.draw}
          marking={marking}
          keys
          focusOn={focusOn}
          label={`Chess board, you play ${start.seats[side]}`}
        />
        {bar(orientation)}
      </div>
      <div class="side">
        <p class="status" role="status" aria-live="polite" data-testid="status">
          {problem} {statusText(live, last)} {premove && `Next move: ${premove.slice(0, 2)} to ${premove.slice(2, 4)}.`} {live.notice}
        </p>
        <p class="error one-line" role="alert" data-testid="refused">
          {live.refused}
        </p>
        {live.failures.map(({ by }) => (
          <p class="error" role="alert" data-testid="failure" key={by}>
            {failureLine(upper(start.players[by]!))}
          </p>
        ))}
        <MoveList moves={plies.map((one) => ({ ply: one.ply, text: one.san }))} />
        <TypedMove actions={live.actions} play={live.act} />
        <GameControls live={live} draws />
        <div class="row controls" role="group" aria-label="Board">
          <button type="button" class="action" data-testid="flip" onClick={() => setFlipped(!flipped)}>
            Flip
          </button>
          <label class="switch">
            <input
              type="checkbox"
              checked={loud}
              data-testid="sounds"
              onChange={(event) => {
                switchSounds(event.currentTarget.checked);
                setLoud(event.currentTarget.checked);
              }}
            />
            Sounds
          </label>
          <button type="button" class="action" aria-pressed={marking} data-testid="marking" onClick={() => setMarking(!marking)}>
            Mark squares
          </button>
          {(own.markers.size > 0 || own.arrows.length > 0) && (
            <button type="button" class="action" onClick={own.clear}>
              Clear my marks
            </button>
          )}
          {marking && (
            <p class="quiet marking-note" role="status">
              Click or tap a square to mark it, drag to draw an arrow; press <em>Mark squares</em> again to move pieces. Only you see
              the marks.
            </p>
          )}
        </div>
        {start.players[1 - side] === PERSON && (
          <p class="quiet" data-testid="help-rule">
            {helpRule(start.casual)}
          </p>
        )}
        {start.casual && (
          <FogPanel
            on={looking}
            turn={live.turn}
            refused={live.refused}
            look={look}
            growth={live.growth}
            choice={choice}
            onSwitch={setLooking}
            onChoice={setChoice}
          />
        )}
        <InvitationAgain id={id} seats={start.seats} />
        <WatchLink id={id} />
        <ChessHelp open={plies.length < 2} />
      </div>
    </div>
  );
}

/** Whether to look into the fog, which a reload does not change. */
function useLooking(id: string): [boolean, (on: boolean) => void] {
  const kept = `fogtree.looking.${id}`;
  const [looking, setLooking] = useState(() => sessionStorage.getItem(kept) !== null);
  return [
    looking,
    (on) => {
      if (on) sessionStorage.setItem(kept, "1");
      else sessionStorage.removeItem(kept);
      setLooking(on);
    },
  ];
}

/** A tone for every move that arrives while we watch, not for those before we came. */
function useSounds(plies: number, capture: boolean): void {
  const heard = useRef(plies);
  useLayoutEffect(() => {
    if (plies > heard.current) sound(capture ? "capture" : "move");
    heard.current = plies;
  }, [plies]);
}
