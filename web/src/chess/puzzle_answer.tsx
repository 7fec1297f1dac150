// After an answer to a puzzle: how good it was, what the search plays, and what was true.
import type { JSX } from "preact";
import { FocusButton } from "../focus_button";
import { usePageKeys } from "../page_keys";
import type { ReviewPly, ReviewView } from "../review/review_data";
import { Link } from "../router";
import { CandidateTable } from "./candidate_table";
import type { LookCandidate } from "./look";
import { percent, signed } from "../values";

export type Answer = {
  right: boolean;
  /** The move that was chosen; null if nobody chose one. */
  chosen: string | null;
  positions: number;
  played: string;
  players: string[];
  candidates: LookCandidate[];
  /** The position after the move that was chosen, or after the best one: all of it, and as the mover sees it. */
  after: { full: ReviewView; view: ReviewView };
  /** What the other side would play after a wrong answer. */
  reply: { action: string; label: string } | null;
  plies: ReviewPly[];
};

const SHOWN = 6;

export function PuzzleAnswer(props: {
  answer: Answer;
  name: string;
  truth: boolean;
  onTruth: (on: boolean) => void;
  next: (() => void) | null;
}): JSX.Element {
  const { answer, next } = props;
  const best = answer.candidates[0]!;
  const byValue = [...answer.candidates].sort((a, b) => b.value - a.value);
  const mine = answer.candidates.find((one) => one.action === answer.chosen);
  const second = byValue.find((one) => one.action !== best.action)!;
  const verdict =
    mine === undefined
      ? `The best move was ${best.label}.`
      : answer.right
        ? `Right: ${best.label} is the move.`
        : `Not the best: ${mine.label} is worth ${signed(mine.value)}; ${best.label} is worth ${signed(best.value)}.`;
  const fen = answer.after.full.fen;
  const other = props.name === "White" ? "Black" : "White";
  usePageKeys((event) => {
    if (event.key === "n") next?.();
  });
  return (
    <section class="panel" aria-label="Answer">
      <p class={`status verdict ${answer.right ? "right" : "wrong"}`} role="status" data-testid="verdict">
        {verdict}
      </p>
      {mine && answer.reply && (
        <p data-testid="reply">
          After {mine.label} {other} would play <strong>{answer.reply.label}</strong>, by a short search.
        </p>
      )}
      <p>
        The search plays {best.label} with {percent(best.probability)}; value {signed(best.value)}, the next best is{" "}
        {second.label} with {signed(second.value)}. In the game {props.name} played {answer.played}. From what {props.name} had
        seen, {answer.positions.toLocaleString("en")} {answer.positions === 1 ? "position was" : "positions were"} possible. Values
        are estimates from -1 (lost) to +1 (won).
      </p>
      <label class="switch">
        <input
          type="checkbox"
          checked={props.truth}
          data-testid="truth"
          onChange={(event) => props.onTruth(event.currentTarget.checked)}
        />
        Show what was true
      </label>
      <CandidateTable candidates={answer.candidates} order="value" most={SHOWN} caption={mine ? "The best moves and yours" : "The best moves"} chosen={answer.chosen} positions={answer.positions} />
      <p class="row controls">
        {next && (
          <FocusButton class="action primary" data-testid="next-puzzle" onClick={next}>
            Next puzzle (N)
          </FocusButton>
        )}
        {typeof fen === "string" && (
          <Link to={`/chess?${new URLSearchParams({ fen, side: props.name.toLowerCase() })}`} class="button">
            {mine ? `Play on after ${mine.label}` : `Play on after ${best.label}`}
          </Link>
        )}
      </p>
    </section>
  );
}
