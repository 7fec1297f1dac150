// Which of the possible boards of a look one can step through.
import { percent } from "../values";
import { positionsText, type ChessLook } from "./look";

/** Shares are sent with four decimals. */
const ROUNDED = 0.0001;

/** How many of the possible boards can be stepped through, and that the others cannot. */
export function boardsText(look: ChessLook): string {
  const listed = look.boards.length;
  if (look.more_boards) return `${listed} ${ofAll(look)} shown; the others cannot be stepped through`;
  return listed === look.positions ? `all ${listed} positions` : `${listed} boards: all ${positionsText(look)} positions, of which some look the same`;
}

/** Which of the listed boards is shown, counted from 0, and how likely it is. */
export function guessText(look: ChessLook, board: number): string {
  const share = Math.max(look.boards[board]!.share, ROUNDED); // each is possible
  return `Guess ${board + 1} of ${look.boards.length}: ${percent(share)} likely`;
}

/** The same, and how many boards there are if not all of them are listed. */
export function guessOfAllText(look: ChessLook, board: number): string {
  const guess = guessText(look, board);
  return look.more_boards ? `${guess}. ${boardsText(look)}.` : guess;
}

function ofAll(look: ChessLook): string {
  const all = positionsText(look);
  if (!look.even) return `likeliest boards of ${all} positions`;
  // A board that stands for several positions, which differ in the right to castle, has the shares of all.
  const single = look.boards.every(({ share }) => Math.abs(share - 1 / look.positions) <= ROUNDED);
  return single ? `of ${all} positions` : `boards of ${all} positions`;
}
