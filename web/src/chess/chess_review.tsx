// A finished game of chess: the truth, step by step, from either side or all-seeing.
import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Board } from "./board";
import { drawnLook, FIRST_CHOICE } from "./fog_panel";
import { MoveList } from "./move_list";
import { CopyField } from "../copy_field";
import { SPECTATOR } from "../keys";
import { LinkNote } from "../link_note";
import { PERSON, type LiveGame } from "../live_game";
import { spectatorLink } from "../new_game";
import { Rematch, rematchAsked } from "../rematch";
import { Link } from "../router";
import { upper } from "../values";
import { keepQuery, queryValue } from "../study/jobs";
import { useAnalysis } from "./analysis";
import { AnalysisPanel } from "./analysis_panel";
import { Downloads } from "../review/downloads";
import { SURPRISE_SIGNS, verdictOn } from "./marks";
import { MixText } from "../review/mix_text";
import { moveName, type From, type ReviewDocument } from "../review/review_data";
import { Stepper } from "../review/stepper";

/** The moment and the side that the address names, as in /game/ID?ply=12&from=1. */
function asked(last: number): { at: number; from: From } {
  const ply = queryValue("ply");
  const from = queryValue("from");
  const at = /^\d{1,5}$/.test(ply) ? Math.min(last, Number(ply)) : last;
  return { at, from: from === "0" ? 0 : from === "1" ? 1 : "all" };
}

export function ChessReview(props: { id: string; live: LiveGame; review: ReviewDocument }): JSX.Element {
  const { review, live, id } = props;
  const { seat } = live;
  const last = review.plies.length - 1;
  const [at, setAt] = useState(() => asked(last).at);
  const [from, setFrom] = useState<From>(() => asked(last).from);
  const [flipped, setFlipped] = useState(seat === 1 || asked(last).from === 1);
  const { analysis, start } = useAnalysis(id, live.key, seat);
  const [choice, setChoice] = useState(FIRST_CHOICE);
  const query = { ply: String(at), from: from === "all" ? "" : String(from) };
  useLayoutEffect(() => {
    if (at !== last || from !== "all" || location.search) keepQuery(query);
    setChoice((before) => ({ ...before, board: null })); // a guessed board is one of a moment
  }, [at, from]);
  const ply = review.plies[at]!;
  const view = from === "all" ? ply.full : ply.views[from]!;
  const moved = ply.action && (from === "all" || from === ply.seat) ? [ply.action.slice(0, 2), ply.action.slice(2, 4)] : [];
  const seen = analysis && from === analysis.seat ? analysis : null;
  const drawn = drawnLook(seen?.looks.get(at) ?? null, choice);
  // On the whole board what was believed is not drawn, but the moves that the search would choose are.
  const mixed = seen ?? (from === "all" ? analysis : null);
  const arrows = drawnLook(mixed?.looks.get(at) ?? null, choice).arrows;
  // After a move: what the search would have played instead, without the belief of the position before.
  const instead = mixed && ply.seat === mixed.seat ? drawnLook(mixed.looks.get(at - 1) ?? null, choice).arrows : [];
  const first = review.plies[0]!.full.ply ?? 0;
  const signs = review.plies.slice(1).map((_, number) => verdictOn(analysis, review, number)?.sign ?? "");
  const moves = review.plies.slice(1).map((one, number) => {
    const surprises = analysis?.surprises.filter(({ ply }) => ply === number + 1) ?? [];
    const notes = [...new Set(surprises.map(({ kind }) => SURPRISE_SIGNS[kind]))];
    return { ply: first + number, text: one.label + signs[number], notes };
  });
  const fen = typeof ply.full.fen === "string" ? ply.full.fen : "";
  // On a phone the side comes below the board, where nobody would see that the friend asks.
  const [wanted, setWanted] = useState(false);
  const onTop = useRef(false);
  if (!wanted && rematchAsked(live)) onTop.current = true;
  const rematch = seat !== SPECTATOR && (
    <Rematch id={id} live={live} newGame="/chess" asked={wanted} onAsked={() => setWanted(true)} />
  );
  const goesOn = fen !== "" && ply.full.over !== true;
  const names = review.players.map((name, number) => (number === seat ? "you" : name !== PERSON ? name : seat === SPECTATOR ? "a person" : "your friend"));
  const sides: [From, string][] = [
    [0, "White saw"],
    [1, "Black saw"],
    ["all", "Everything"],
  ];
  return (
    <div class={seen && drawn.ghosts.length > 0 ? "game-layout with-heading looking" : "game-layout with-heading"}>
      <div>
        {onTop.current && rematch}
        <p class="quiet names">
          {names[0]} (white) against {names[1]} (black)
        </p>
        <Board
          marks={[...(view.marks ?? "")]}
          orientation={flipped ? 1 : 0}
          legal={[]}
          lastMove={moved}
          arrows={[...arrows, ...instead]}
          ghosts={drawn.ghosts}
          shades={drawn.shades}
          note={seen ? drawn.note : ""}
          label={at === 0 ? "Board at the start" : `Board after ${moveName(review, at)}`}
        />
        <Stepper at={at} last={last} onStep={setAt} />
        <MixText ply={ply} name={upper(names[ply.seat ?? -1] ?? "")} />
      </div>
      <div class="side">
        <h2>Review</h2>
        <p class="quiet">
          Step through the game, or click a move. The fog is gone now: see what either side saw, or everything.
        </p>
        <div class="row controls" role="group" aria-label="Seen from">
          {sides.map(([which, name]) => (
            <button
              type="button"
              class="action"
              key={name}
              aria-pressed={from === which}
              data-testid={`from-${which}`}
              onClick={() => setFrom(which)}
            >
              {name}
            </button>
          ))}
          <button type="button" class="action" data-testid="flip" onClick={() => setFlipped(!flipped)}>
            Flip
          </button>
        </div>
        <MoveList moves={moves} current={first + at - 1} onChoose={(chosen) => setAt(chosen - first + 1)} />
        {!onTop.current && rematch}
        <AnalysisPanel
          review={review}
          own={seat}
          analysis={analysis}
          at={at}
          choice={choice}
          onChoice={(chosen) => {
            setChoice(chosen);
            if (analysis) setFrom(analysis.seat); // what is believed is drawn on what that side saw
          }}
          onStart={start}
          from={from}
          onFrom={setFrom}
          onStep={setAt}
        />
        <section class="panel" aria-label="This position">
          {fen && <CopyField label="Position (FEN)" value={fen} testid="fen" />}
          <CopyField
            label="Link to this position"
            value={spectatorLink(id, review.spectator_key, queryText(query))}
            testid="position-link"
          />
          <LinkNote />
          {goesOn && (
            <p class="quiet">If you begin from here, the fog begins anew: both sides know where everything stands.</p>
          )}
          {goesOn && (
            <p class="row controls">
              <Link to={fenPage("/chess", fen, review.game)} class="button">
                Play from here
              </Link>
              <Link to={fenPage("/analyse", fen, review.game)} class="button">
                Analyse this position
              </Link>
            </p>
          )}
          <Downloads id={id} key_={live.key} review={review} seat={seat} formats={["pgn", "views", "record"]} signs={signs} />
        </section>
      </div>
    </div>
  );
}

function queryText(values: Record<string, string>): string {
  return `?${new URLSearchParams(Object.entries(values).filter(([, value]) => value !== ""))}`;
}

/** A page that starts from a position, with the rules of a game's spec. */
function fenPage(page: string, fen: string, game: string): string {
  const rules = game.match(/rules="?([\w-]+)/)?.[1] ?? "";
  return page + queryText({ fen, rules });
}
