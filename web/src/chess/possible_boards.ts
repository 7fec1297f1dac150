// Which of the possible boards of a look one can step through.
import { positionsText, type ChessLook } from "./look";

/** Shares are sent with four decimals. */
const ROUNDED = 0.0001;

/** How many of the possible boards can be stepped through, and that the others cannot. */
export function boardsText(look: ChessLook): string {
  const listed = look.boards.length;
  if (look.more_boards) return `${listed} ${ofAll(look)} shown; the others cannot be stepped through`;
  return listed === look.positions ? `all ${listed} positions` : `${listed} boards: all ${positionsText(look)} positions, of which some look the same`;
}

function ofAll(look: ChessLook): string {
  const all = positionsText(look);
  if (!look.even) return `likeliest boards of ${all} positions`;
  // A board that stands for several positions, which differ in the right to castle, has the shares of all.
  const single = look.boards.every(({ share }) => Math.abs(share - 1 / look.positions) <= ROUNDED);
  return single ? `of ${all} positions` : `boards of ${all} positions`;
}
