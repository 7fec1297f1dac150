// The squares of a board whose marks the other does not see: own marks, those that we ran into, and the unknown rest.
import type { ComponentChildren } from "preact";
import type { Action } from "../live_game";
import type { Cell } from "./grid";

export type HiddenBoardView = {
  /** Whose view it is; null: the truth. */
  player: number | null;
  columns: number;
  squares: string[];
  marks: Record<string, string>;
  /** The squares that won, in finished games. */
  line?: string[];
};

export function hiddenCells(
  view: HiddenBoardView,
  actions: readonly Action[],
  how: {
    /** The marks of the first and of the second player. */
    marks: readonly [string, string];
    /** What a screen reader says of a mark; ``met``: the other's, which we ran into. */
    words: (seat: number, met: boolean) => string;
    /** What a screen reader says of a square that can be chosen. */
    can: string;
    drawn: (seat: number) => ComponentChildren;
  },
): Cell[] {
  const free = new Set(actions.map((one) => one.action));
  return view.squares.map((square): Cell => {
    const piece = view.marks[square];
    const seat = piece === undefined ? -1 : how.marks.indexOf(piece);
    const hidden = piece === undefined && view.player !== null;
    const met = piece !== undefined && view.player !== null && seat !== view.player;
    const words = piece === undefined ? (hidden ? "unknown" : "empty") : how.words(seat, met);
    const names = [hidden && "fog", met && "refused", seat === 0 ? "first" : "second", view.line?.includes(square) && "won"];
    return {
      square,
      words: free.has(square) ? `${words}, ${how.can}` : words,
      piece,
      class: names.filter(Boolean).join(" "),
      can: free.has(square),
      drawn: piece !== undefined && how.drawn(seat),
    };
  });
}
