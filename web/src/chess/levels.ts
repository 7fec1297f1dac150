// The strength that is chosen for an opponent, and the clocks, rules and positions to choose from.
import type { Level } from "../games";

/** What an opponent of this strength is called on every page. */
export function levelName(number: number, level: Level, seconds: number): string {
  return `fogtree level ${number}${level.uses_time ? ` (${seconds} s per move)` : ""}`;
}

/** What is said of a strength beside its number. */
export function levelText(level: Level): string {
  return `${level.name} (Elo ${level.elo})`;
}

const STRENGTH = "fogtree.level";
const FIRST_STRENGTH = 4;

/** The number of the level that was chosen last in this browser; there are `count` levels. */
export function keptLevel(count: number): number {
  const kept = Number(localStorage.getItem(STRENGTH) ?? FIRST_STRENGTH);
  return Number.isInteger(kept) && kept >= 1 && kept <= count ? kept : Math.min(FIRST_STRENGTH, count);
}

export function keepLevel(number: number): void {
  localStorage.setItem(STRENGTH, String(number));
}

export const CLOCKS: { name: string; clock: { seconds: number; increment: number } | null }[] = [
  { name: "no clock", clock: null },
  { name: "3 minutes + 2 s", clock: { seconds: 180, increment: 2 } },
  { name: "10 minutes + 5 s", clock: { seconds: 600, increment: 5 } },
  { name: "30 minutes", clock: { seconds: 1800, increment: 0 } },
];

export const RULES: [string, string][] = [
  ["chesscom", "chess.com (usual): without a legal move you lose"],
  ["stalemate-wins", "Stalemate wins: without a legal move you win"],
  ["openspiel", "OpenSpiel: without a legal move it is a draw; you do not see that something blocks your pawn"],
  ["fairy", "Fairy-Stockfish: as OpenSpiel, and you do not see the pawn that you can take en passant"],
  ["attacks", "Attacks: without a legal move you lose; you always see the squares that your pawns attack, but not that something blocks your pawn"],
];

/** The spec of a game with these rules from this position; empty: the usual one. */
export function chessSpec(rules: string, fen: string): string {
  const parameters = [
    rules === "chesscom" ? "" : `rules="${rules}"`,
    fen.trim() === "" ? "" : `fen=${JSON.stringify(fen.trim())}`,
  ].filter(Boolean);
  return parameters.length > 0 ? `fog_chess(${parameters.join(", ")})` : "fog_chess";
}

/** The whole board of a FEN, from a1 to h8; null if it is not one. */
export function fenMarks(fen: string): string[] | null {
  const rows = fen.trim().split(/\s+/)[0]?.split("/") ?? [];
  const marks = rows.reverse().map((row) => row.replace(/[1-8]/g, (gap) => ".".repeat(Number(gap))));
  const whole = marks.length === 8 && marks.every((row) => /^[pnbrqkPNBRQK.]{8}$/.test(row));
  return whole ? [...marks.join("")] : null;
}

/** Beside the usual first board, while a FEN is typed. */
export const NOT_A_POSITION = "What you have typed is not a whole position yet; this is the usual first one.";

/** White's moves in the usual first position. */
export const FIRST_MOVES: readonly string[] = [
  ...[..."abcdefgh"].flatMap((file) => [`${file}2${file}3`, `${file}2${file}4`]),
  ...["b1a3", "b1c3", "g1f3", "g1h3"],
];

export const START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/** The first board as White or Black sees it. */
export function openingMarks(side: 0 | 1): string[] {
  const back = "RNBQKBNR";
  const white = back + "PPPPPPPP" + "................" + "????????".repeat(4);
  if (side === 0) return [...white];
  return [...("????????".repeat(4) + "................" + "pppppppp" + back.toLowerCase())];
}
