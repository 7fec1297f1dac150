// A finished game of chess: the truth, step by step, from either side or all-seeing.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Board } from "../chess/board";
import { drawnLook, FIRST_CHOICE } from "../chess/fog_panel";
import { MoveList } from "../chess/move_list";
import { resultText } from "../chess/status";
import type { LiveGame } from "../live_game";
import { Rematch } from "../rematch";
import { useAnalysis } from "./analysis";
import { AnalysisPanel } from "./analysis_panel";
import { Downloads } from "./downloads";
import { useReview, type ReviewDocument } from "./review_data";
import { Stepper } from "./stepper";

export function Review({ id, live }: { id: string; live: LiveGame }): JSX.Element {
  const { review, error } = useReview(id, live.key);
  const over = live.over!;
  const seat = live.start!.seat;
  return (
    <>
      <p class="status result" role="status" aria-live="polite" data-testid="status">
        {resultText(over.returns, seat, over.reason)}
      </p>
      {error && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      {review === null ? (
        <p class="loading">Loading the whole game…</p>
      ) : (
        <ChessReview id={id} live={live} seat={seat as 0 | 1} review={review} />
      )}
    </>
  );
}

type From = 0 | 1 | "all";

function ChessReview(props: { id: string; live: LiveGame; seat: 0 | 1; review: ReviewDocument }): JSX.Element {
  const { review, seat } = props;
  const last = review.plies.length - 1;
  const [at, setAt] = useState(last);
  const [from, setFrom] = useState<From>("all");
  const [flipped, setFlipped] = useState(seat === 1);
  const { analysis, start } = useAnalysis(props.id, props.live.key);
  const [choice, setChoice] = useState(FIRST_CHOICE);
  const ply = review.plies[at]!;
  const view = from === "all" ? ply.full : ply.views[from]!;
  const moved = ply.action && (from === "all" || from === ply.seat) ? [ply.action.slice(0, 2), ply.action.slice(2, 4)] : [];
  const look = analysis && from === analysis.seat ? (analysis.looks.get(at) ?? null) : null;
  const drawn = drawnLook(look, choice);
  const first = review.plies[0]!.full.ply ?? 0;
  const moves = review.plies.slice(1).map((one, number) => ({ ply: first + number, text: one.label }));
  const fen = typeof ply.full.fen === "string" ? ply.full.fen : "";
  const names = review.players.map((name, number) => (number === seat ? "you" : name));
  const sides: [From, string][] = [
    [0, "White saw"],
    [1, "Black saw"],
    ["all", "Everything"],
  ];
  return (
    <div class="game-layout">
      <div>
        <p class="quiet names">
          {names[0]} (white) against {names[1]} (black)
        </p>
        <Board
          marks={[...(view.marks ?? "")]}
          orientation={flipped ? 1 : 0}
          legal={[]}
          lastMove={moved}
          arrows={drawn.arrows}
          ghosts={drawn.ghosts}
          shades={drawn.shades}
          label={`Board after ${at} moves`}
        />
        <Stepper at={at} last={last} onStep={setAt} />
      </div>
      <div class="side">
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
        {fen && (
          <label>
            Position (FEN)
            <input class="link" readOnly value={fen} onFocus={(event) => event.currentTarget.select()} />
          </label>
        )}
        <Rematch id={props.id} live={props.live} newGame="/chess" />
        <AnalysisPanel
          review={review}
          analysis={analysis}
          at={at}
          choice={choice}
          onChoice={setChoice}
          onStart={(side) => {
            setFrom(side);
            start(side);
          }}
          onStep={setAt}
        />
        <Downloads id={props.id} key_={props.live.key} formats={["record", "pgn"]} />
      </div>
    </div>
  );
}
