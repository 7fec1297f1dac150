// What one side knows of a game: its own moves, and those of the other side as far as it saw them.
// It follows from the views alone, so that a page that is loaded again shows the same.
import type { ViewEvent } from "../live_game";
import { isPiece, isWhite, squareName, squareNumber } from "./squares";

export type ChessView = {
  kind: "chess";
  marks: string;
  mover: 0 | 1;
  side: 0 | 1;
  /** Moves made so far, counted from move 1 of the game. */
  ply: number;
};

export type KnownPly = {
  ply: number;
  by: 0 | 1;
  /** In standard notation; of the other side's move as much as we saw, with "?" for the rest. */
  san: string;
  /** Squares to mark: our move, or where we saw that something happened. */
  squares: string[];
  /** The piece taken as far as we know it: theirs by us, or ours by them. */
  taken: string | null;
  /** Pieces of the other side on squares that were fog before its move, where we saw no more of the move. */
  appeared: { piece: string; square: string }[];
};

function isOwn(mark: string | undefined, side: 0 | 1): boolean {
  return mark !== undefined && isPiece(mark) && isWhite(mark) === (side === 0);
}

/** Our own pieces after one of our moves; everything else is ".". */
function ownAfter(marks: string, side: 0 | 1, move: string): string {
  const own = [...marks].map((mark) => (isOwn(mark, side) ? mark : "."));
  const [from, to] = [squareNumber(move), squareNumber(move.slice(2))];
  const piece = own[from]!;
  own[from] = ".";
  const promoted = move[4];
  own[to] = promoted ? (side === 0 ? promoted.toUpperCase() : promoted) : piece;
  if (piece.toLowerCase() === "k" && Math.abs(to - from) === 2) {
    const corner = to > from ? from + 3 : from - 4;
    own[(from + to) / 2] = own[corner]!;
    own[corner] = ".";
  }
  return own.join("");
}

function ownMove(before: ViewEvent<ChessView>, after: ChessView): KnownPly {
  const { marks, side, ply } = before.view;
  const own = [...after.marks].map((mark) => (isOwn(mark, side) ? mark : ".")).join("");
  const left = (move: string) => own[squareNumber(move)] === "."; // the piece is no longer where it was
  const made = before.actions.find((one) => left(one.action) && ownAfter(marks, side, one.action) === own);
  if (!made) return { ply, by: side, san: "?", squares: [], taken: null, appeared: [] };
  const [from, to] = [squareNumber(made.action), squareNumber(made.action.slice(2))];
  let taken = isPiece(marks[to]!) ? marks[to]! : null;
  const pawn = marks[from]!.toLowerCase() === "p";
  if (pawn && taken === null && from % 8 !== to % 8) taken = side === 0 ? "p" : "P"; // en passant
  return { ply, by: side, san: made.label, squares: [squareName(from), squareName(to)], taken, appeared: [] };
}

function theirMove(before: ChessView, after: ChessView): KnownPly {
  const lost: number[] = [];
  for (let square = 0; square < 64; square++) {
    if (isOwn(before.marks[square], before.side) && !isOwn(after.marks[square], before.side)) lost.push(square);
  }
  const taken = lost.length > 0 ? before.marks[lost[0]!]! : null;
  const by = before.side === 0 ? 1 : 0;
  const came = lost.length > 0 ? [] : arrivals(before, after);
  const left = lost.length > 0 || came.length > 0 ? [] : departures(before, after);
  const fresh = lost.length + came.length + left.length > 0 ? [] : appearances(before, after);
  const squares = [...lost, ...came, ...left, ...fresh].map(squareName);
  const appeared = fresh.map((square) => ({ piece: after.marks[square]!, square: squareName(square) }));
  return { ply: before.ply, by, san: seenMove(before, after, { lost, came, left }), squares, taken, appeared };
}

type Seen = { lost: number[]; came: number[]; left: number[] };

/** Squares that we saw empty before the other side's move, and on which something stands after it. */
function arrivals(before: ChessView, after: ChessView): number[] {
  return [...after.marks].flatMap((mark, square) => (before.marks[square] === "." && (isPiece(mark) || mark === "#") ? [square] : []));
}

/** Squares that were fog before the other side's move, and on which we see one of its pieces after it. */
function appearances(before: ChessView, after: ChessView): number[] {
  return [...after.marks].flatMap((mark, square) => (before.marks[square] === "?" && isPiece(mark) ? [square] : []));
}

/** Squares on which we saw a piece of the other side before its move, and nothing after it. */
function departures(before: ChessView, after: ChessView): number[] {
  return [...after.marks].flatMap((mark, square) => (isPiece(before.marks[square]!) && mark === "." ? [square] : []));
}

/** The squares from which a pawn of the other side can take on a square. */
function pawnOrigins(before: ChessView, target: number): number[] {
  const back = before.side === 0 ? 8 : -8;
  return [target + back - 1, target + back + 1].filter((square) => Math.abs((square % 8) - (target % 8)) === 1);
}

/** Where a pawn of the other side that has just taken on a square came from, as far as we know: its file, or "?". */
function pawnFile(before: ChessView, after: ChessView, target: number): string {
  const pawn = before.side === 0 ? "p" : "P";
  const origins = pawnOrigins(before, target);
  const gone = origins.filter((square) => before.marks[square] === pawn && after.marks[square] === ".");
  const saw = before.marks[target] === (before.side === 0 ? "P" : "p"); // our own pawn there saw who could take it
  const held = saw ? [pawn] : [pawn, "?", "#"];
  const possible = origins.filter((square) => held.includes(before.marks[square]!) && after.marks[square] !== pawn);
  const known = gone.length === 1 ? gone : possible;
  return known.length === 1 ? squareName(known[0]!)[0]! : "?";
}

/** What the other side's piece on its last rank says of the move that brought it there: "=Q" if it was a pawn that we saw
 * leave, "?" if it may have been one in the fog, and "" if it was no pawn. */
function promotion(before: ChessView, after: ChessView, target: number, origins: readonly number[]): string {
  const piece = after.marks[target]!;
  const last = before.side === 0 ? target < 8 : target >= 56;
  if (!last || !/[qrbn]/i.test(piece)) return "";
  const pawn = before.side === 0 ? "p" : "P";
  const fog = (mark: string) => mark === "?" || mark === "#";
  const gone = (mark: string) => mark !== pawn && !fog(mark);
  if (origins.some((square) => before.marks[square] === pawn && gone(after.marks[square]!))) return `=${piece.toUpperCase()}`;
  if ([...before.marks].some((mark, square) => mark === piece && after.marks[square] === ".")) return ""; // it came from there
  const possible = (square: number) => (before.marks[square] === pawn || fog(before.marks[square]!)) && after.marks[square] !== pawn;
  return origins.some(possible) ? "?" : "";
}

/** The other side's move as far as it was seen: "Nxe4", "dxe4", "dxe1=Q", "?xe4", "Nf6", "?e5", "Nf6-?", or "?". */
function seenMove(before: ChessView, after: ChessView, seen: Seen): string {
  const letter = (mark: string) => (isPiece(mark) ? mark.toUpperCase() : "?");
  const [lost, came, left] = [seen.lost[0], seen.came[0], seen.left[0]];
  if (lost !== undefined) {
    const passed = after.marks[lost] === "."; // en passant
    const target = passed ? lost + (before.side === 0 ? -8 : 8) : lost;
    const piece = passed ? "P" : letter(after.marks[lost]!);
    const promoted = promotion(before, after, target, pawnOrigins(before, target));
    if (promoted === "?") return `?x${squareName(target)}`;
    if (promoted) return `${pawnFile(before, after, target)}x${squareName(target)}${promoted}`;
    return `${piece === "P" ? pawnFile(before, after, target) : piece}x${squareName(target)}`;
  }
  if (seen.came.some((square) => after.marks[square]!.toLowerCase() === "k") && seen.came.length === 2) {
    return seen.came.some((square) => square % 8 === 6) ? "O-O" : "O-O-O";
  }
  if (came !== undefined && seen.came.length === 1) {
    const promoted = promotion(before, after, came, [came + (before.side === 0 ? 8 : -8)]);
    if (promoted.startsWith("=")) return `${squareName(came)}${promoted}`;
  }
  if (came !== undefined) return letter(after.marks[came]!).replace("P", "") + squareName(came);
  return left === undefined ? "?" : `${letter(before.marks[left]!).replace("P", "")}${squareName(left)}-?`;
}

/** What is known after some of the views, so that a long game is not gone through again. */
export type Known = { plies: KnownPly[]; last: ViewEvent<ChessView> | null; views: number };

export const NOTHING_KNOWN: Known = { plies: [], last: null, views: 0 };

/** What is known after all views, given what was known after the first of them. */
export function follow(known: Known, views: readonly ViewEvent<ChessView>[]): Known {
  let { plies, last } = known;
  for (const event of views.slice(known.views)) {
    const now = event.view;
    if (last !== null && now.ply === last.view.ply + 1) {
      const made = last.view.mover === now.side ? ownMove(last, now) : theirMove(last.view, now);
      plies = [...plies, made];
    } else if (last !== null && now.ply <= last.view.ply) {
      plies = plies.filter((one) => one.ply < now.ply); // taken back
    }
    last = event;
  }
  return { plies, last, views: views.length };
}

/** Squares to mark: our own last move, and where the other side has taken something since. */
export function lastSquares(plies: readonly KnownPly[], side: 0 | 1): string[] {
  const own = plies.map((one) => one.by).lastIndexOf(side);
  return plies.slice(Math.max(0, own)).flatMap((one) => one.squares);
}

/** Pieces of one colour that are known to be taken, the strongest first. */
export function takenPieces(plies: readonly KnownPly[], white: boolean): string[] {
  const order = "qrbnpk";
  const found = plies.flatMap((one) => (one.taken && isWhite(one.taken) === white ? [one.taken] : []));
  return found.sort((a, b) => order.indexOf(a.toLowerCase()) - order.indexOf(b.toLowerCase()));
}
