// What the search believes about the other side's pieces, sent while it thinks for our own side.

export type LookCandidate = {
  action: string;
  label: string;
  /** How often it is played. */
  probability: number;
  /** How often the solver's strategy plays it, before the choice is made safe. */
  strategy?: number;
  value: number;
};
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
  /** The likeliest positions. */
  boards: LookBoard[];
};

/** Fields that the server may leave out are filled in. */
export function readLook(event: Record<string, unknown> | null): ChessLook | null {
  if (event === null) return null;
  const found = event as Partial<ChessLook>;
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
    candidates: found.candidates ?? [],
    marginals: found.marginals ?? {},
    boards: found.boards ?? [],
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

export function ghostsOf(look: ChessLook, piece: string | null): { square: number; piece: string; share: number }[] {
  const ghosts = [];
  for (const [letter, shares] of Object.entries(look.marginals)) {
    if (piece !== null && letter.toLowerCase() !== piece) continue;
    for (const [square, share] of shares.entries()) {
      if (share >= 0.05) ghosts.push({ square, piece: letter, share });
    }
  }
  return ghosts;
}

/** Below this, p_max counts as 0. */
const SAFE = 0.0005;

/** What the safety of a plan means for whoever plays it, and in detail. */
export function safetyText(p_max: number): { short: string; details: string } {
  if (p_max < SAFE) {
    return {
      short: "The search can mix its moves here.",
      details: "The plan is safe (p_max 0): whatever the other side may know, it gains nothing from this plan.",
    };
  }
  return {
    short: "The search plays a single move here, as is usual early in a game.",
    details: `p_max is ${p_max.toFixed(2)}. Above 0 it means that the other side, if it knew certain things, would gain from this plan; then the search plays its likeliest move alone. It does not say how good your position is.`,
  };
}
