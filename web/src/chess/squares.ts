// Squares from a1 (0) to h8 (63), and pieces by their FEN letters.

import { percent } from "../values";

export const FILES = "abcdefgh";

export function squareName(square: number): string {
  return `${FILES[square % 8]}${Math.floor(square / 8) + 1}`;
}

export function squareNumber(name: string): number {
  return FILES.indexOf(name[0] ?? "") + 8 * (Number(name[1]) - 1);
}

const NAMES: Record<string, string> = {
  p: "pawn",
  n: "knight",
  b: "bishop",
  r: "rook",
  q: "queen",
  k: "king",
};

export function isPiece(mark: string): boolean {
  return mark !== "." && mark !== "?" && mark !== "#";
}

export function isWhite(piece: string): boolean {
  return piece === piece.toUpperCase();
}

/** What a screen reader says of a square. */
export function describe(square: number, mark: string): string {
  const name = squareName(square);
  if (mark === "?") return `${name}, in the fog`;
  if (mark === "#") return `${name}, blocked by something`;
  if (mark === ".") return `${name}, empty`;
  return `${name}, ${isWhite(mark) ? "white" : "black"} ${NAMES[mark.toLowerCase()]}`;
}

/** What a screen reader says of a piece that may stand on a square; ``guessed``: it is part of one whole guessed board. */
export function describeGhost(ghost: { piece: string; share: number; guessed?: boolean }): string {
  const piece = `a ${isWhite(ghost.piece) ? "white" : "black"} ${NAMES[ghost.piece.toLowerCase()]}`;
  if (ghost.guessed) return `in this guess ${piece}`;
  return `${ghost.share >= 0.5 ? "probably" : "perhaps"} ${piece}, ${percent(ghost.share)}`;
}

/** Squares in the order in which they are drawn, from the upper left corner. */
export function drawnSquares(orientation: 0 | 1): number[] {
  const rows = orientation === 0 ? [7, 6, 5, 4, 3, 2, 1, 0] : [0, 1, 2, 3, 4, 5, 6, 7];
  const files = orientation === 0 ? [0, 1, 2, 3, 4, 5, 6, 7] : [7, 6, 5, 4, 3, 2, 1, 0];
  return rows.flatMap((row) => files.map((file) => 8 * row + file));
}

/** The middle of a square on a board of 8 by 8 units. */
export function center(square: number, orientation: 0 | 1): [number, number] {
  const file = square % 8;
  const row = Math.floor(square / 8);
  return orientation === 0 ? [file + 0.5, 7.5 - row] : [7.5 - file, row + 0.5];
}

export function pieceName(piece: string): string {
  return NAMES[piece.toLowerCase()] ?? piece;
}
