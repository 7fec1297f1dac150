// The signs that an analysis puts on moves, in the list of moves and in the graph, and what they mean.
import { PLAYED, type ChessLook } from "./look";
import type { Analysis, Surprise } from "./analysis";
import type { ReviewDocument } from "../review/review_data";

/** Signs for own moves by how much worse they are than the search's play, the worst first. */
export const BAD_MOVES: readonly { sign: string; least: number }[] = [
  { sign: "??", least: 0.4 },
  { sign: "?", least: 0.2 },
];

/** Signs for moments at which the truth surprised: none that chess players read as good or bad. */
export const SURPRISE_SIGNS: Record<Surprise["kind"], string> = { loss: "▼", value: "↕", hidden: "○" };
export const SURPRISE_MEANINGS: Record<Surprise["kind"], string> = {
  loss: "lost something, and stands worse than the search expected",
  value: "stands clearly better or worse than the search expected",
  hidden: "a piece stood where the search hardly thought it",
};

/** Visits of a search to a move without which its value is a guess. */
const ENOUGH = 20;

/** What a search says of the move that was played at a decision. */
export type Verdict = {
  look: ChessLook;
  /** How much worse it is by the search's estimate; 0 for its own moves, null for one that it did not value. */
  loss: number | null;
  /** "??" or "?" for a move that is clearly worse than the search's play, else "". */
  sign: string;
};

/** The verdict on the move that followed a moment; null if no search looked there. */
export function verdictOn(analysis: Analysis | null, review: ReviewDocument, at: number): Verdict | null {
  const look = analysis?.looks.get(at);
  const action = review.plies[at + 1]?.action;
  if (!analysis || !look || !action) return null;
  const found = look.candidates.find((one) => one.action === action);
  if (found === undefined) return { look, loss: null, sign: "" };
  if (found.probability > PLAYED) return { look, loss: 0, sign: "" };
  // Where nothing was hidden, the move was worth no more than what was left of it at the next decision. Elsewhere a move that
  // seems good but was hardly searched is not judged: a search does not look closely at what it need not play.
  const end = review.by_rules && at + 2 >= review.plies.length - 1 ? review.returns[analysis.seat] : undefined;
  const next = analysis.looks.get(at + 2)?.value ?? end;
  const known = look.positions === 1 && next !== undefined;
  const loss = look.value - (known ? Math.min(found.value, next) : found.value);
  if (!known && (found.visits ?? ENOUGH) < ENOUGH && loss < BAD_MOVES.at(-1)!.least) return { look, loss: null, sign: "" };
  const sign = BAD_MOVES.find(({ least }) => loss >= least)?.sign ?? "";
  return { look, loss, sign };
}
