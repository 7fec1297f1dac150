// What the search believes about the other side's pieces, sent while it thinks for our own side.

export type LookCandidate = {
  action: string;
  label: string;
  /** How often it is played. */
  probability: number;
  /** How often the solver's strategy plays it, before the choice is made safe. */
  strategy?: number;
  value: number;
  /** How often the search went there. */
  visits?: number;
};
/** As the server sends it: ``judged`` is what a search of its own found for a move that was played. */
type SentCandidate = LookCandidate & { judged?: { value: number; visits: number } };
export type LookBoard = { marks: string; share: number };

export type ChessLook = {
  nodes: number;
  iterations: number;
  /** Nodes at each depth below the root, when the search is done. */
  levels: number[];
  seconds?: number;
  /** From -1 (lost) to 1 (won), for our side. */
  value: number;
  p_max: number;
  /** Positions consistent with everything seen; incomplete lists are a sample. */
  positions: number;
  complete?: boolean;
  done?: boolean;
  candidates: LookCandidate[];
  /** Per piece letter, 64 probabilities from a1 to h8. */
  marginals: Record<string, number[]>;
  /** The likeliest boards; positions that look the same are one of them. */
  boards: LookBoard[];
  /** Whether there are other boards than these. */
  more_boards: boolean;
  /** Whether all positions count the same. */
  even: boolean;
};

/** Fields that the server may leave out are filled in. */
export function readLook(event: Record<string, unknown> | null): ChessLook | null {
  if (event === null) return null;
  const found = event as Partial<Omit<ChessLook, "candidates"> & { candidates: SentCandidate[] }>;
  return {
    nodes: found.nodes ?? 0,
    iterations: found.iterations ?? 0,
    levels: found.levels ?? [],
    seconds: found.seconds,
    value: found.value ?? 0,
    p_max: found.p_max ?? 0,
    positions: found.positions ?? 0,
    complete: found.complete,
    done: found.done,
    candidates: (found.candidates ?? []).map(({ judged, ...one }) => ({ ...one, ...judged })),
    marginals: found.marginals ?? {},
    boards: found.boards ?? [],
    more_boards: found.more_boards ?? (found.boards ?? []).length < (found.positions ?? 0),
    even: found.even ?? false,
  };
}

/** How likely each square holds any piece, or a piece of one kind. */
export function shadesOf(look: ChessLook, piece: string | null): number[] {
  const shades = new Array<number>(64).fill(0);
  for (const [letter, shares] of Object.entries(look.marginals)) {
    if (piece !== null && letter.toLowerCase() !== piece) continue;
    shares.forEach((share, square) => (shades[square]! += share));
  }
  return shades;
}

/** Pieces that are less likely are not drawn. */
const LEAST_GHOST = 0.05;

export function ghostsOf(look: ChessLook, piece: string | null): { square: number; piece: string; share: number }[] {
  const ghosts = [];
  for (const [letter, shares] of Object.entries(look.marginals)) {
    if (piece !== null && letter.toLowerCase() !== piece) continue;
    for (const [square, share] of shares.entries()) {
      if (share >= LEAST_GHOST) ghosts.push({ square, piece: letter, share });
    }
  }
  return ghosts;
}

/** How many positions fit what was seen: "13", or "more than 5,000" where not all were found. */
export const positionsText = (look: ChessLook): string => `${look.complete === false ? "more than " : ""}${look.positions.toLocaleString("en")}`;

/** How the possible positions are weighed, in a sentence. */
export function weightsText(look: ChessLook): string {
  return look.even ? "All positions that fit count the same." : "Half of each probability comes from an earlier search; the other half counts all positions the same.";
}

/** A move that the search plays less often is none of its own. */
export const PLAYED = 0.01;

/** The moves that a search plays, the likeliest first. */
export function playedBy(look: ChessLook): LookCandidate[] {
  return look.candidates.filter((one) => one.probability > PLAYED).sort((a, b) => b.probability - a.probability);
}

/** Below this, p_max counts as 0. */
const SAFE = 0.0005;
/** A move that the solver's strategy plays more often is the only one that it plays. */
const ALWAYS = 0.99;
/** A move is clearly best if its value is higher than all others by more than this: values differ by less from search to search. */
const CLEARLY = 0.1;

/** What the safety of a plan means for whoever plays it, and in detail. */
export function safetyText(look: ChessLook): { short: string; details: string } {
  const p_max = look.p_max.toFixed(2);
  const alone = planOfOneMove(look);
  if (look.p_max < SAFE) {
    return {
      short: alone ?? safePlan(look),
      details: `Even if the other side knew this plan, it would gain nothing from it (p_max ${p_max}).`,
    };
  }
  return {
    short: alone ?? "The search is not sure that its mix of moves is safe, so it plays only the likeliest move.",
    details:
      `Somewhere in the fog there is a situation in which the other side would like this plan, if it knew it (p_max ${p_max}; 0 would be safe). ` +
      "This is usual early in a game and does not say who stands better.",
  };
}

/** A plan of one move in a sentence; null if the solver's strategy is a mix. */
function planOfOneMove(look: ChessLook): string | null {
  if (look.candidates.length === 1) return "Only one move is possible.";
  const only = look.candidates.find((one) => (one.strategy ?? one.probability) > ALWAYS);
  if (only === undefined) return null;
  return isClearlyBest(only, look) ? "One move is clearly best." : "The solver always plays one move.";
}

function isClearlyBest(move: LookCandidate, look: ChessLook): boolean {
  return look.candidates.every((other) => other === move || move.value - other.value > CLEARLY);
}

/** A safe plan in a sentence: a choice by chance, or one move alone. */
function safePlan(look: ChessLook): string {
  const [first, ...others] = playedBy(look);
  if (first === undefined || others.length > 0) return "The plan is safe: the search chooses between moves by chance.";
  return isClearlyBest(first, look) ? "The plan is safe, and one move is clearly best." : "The plan is safe, and the search always plays the same move.";
}
