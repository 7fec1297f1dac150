// The signs that an analysis puts on moves, in the list of moves and in the graph, and what they mean.
import type { ChessLook } from "../chess/look";
import type { Surprise } from "./analysis";

/** A move that the search plays less often is none of its own. */
const PLAYED = 0.01;

/** Signs for own moves by how much worse they are than the search's play, the worst first. */
export const BAD_MOVES: readonly { sign: string; least: number }[] = [
  { sign: "??", least: 0.3 },
  { sign: "?", least: 0.1 },
];

/** Signs for moments at which the truth surprised: none that chess players read as good or bad. */
export const SURPRISE_SIGNS: Record<Surprise["kind"], string> = { loss: "▼", value: "↕", hidden: "○" };
export const SURPRISE_MEANINGS: Record<Surprise["kind"], string> = {
  loss: "lost something, and stands worse than the search expected",
  value: "stands clearly better or worse than the search expected",
  hidden: "a piece stood where the search hardly thought it",
};

/** The moves that a search plays, the likeliest first. */
export function playedBy(look: ChessLook): ChessLook["candidates"] {
  return look.candidates.filter((one) => one.probability > PLAYED).sort((a, b) => b.probability - a.probability);
}

/** How much worse a move is by the search's estimate; 0 for its own moves, null for one that it did not value. */
export function lossOf(look: ChessLook, action: string | null): number | null {
  const found = look.candidates.find((one) => one.action === action);
  if (found === undefined) return null;
  return found.probability > PLAYED ? 0 : look.value - found.value;
}

/** "??" or "?" for a move that is clearly worse than the search's play, else "". */
export function badMoveSign(look: ChessLook | undefined, action: string | null): string {
  const loss = look === undefined ? null : lossOf(look, action);
  return loss === null ? "" : (BAD_MOVES.find(({ least }) => loss >= least)?.sign ?? "");
}
