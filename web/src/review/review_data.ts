// A finished game with everything in it, as the server sends it.
import { useEffect, useState } from "preact/hooks";
import { get } from "../api";

export type ReviewView = { kind: string; marks?: string; text?: string; ply?: number; [field: string]: unknown };

export type ReviewPly = {
  action: string | null;
  label: string;
  seat: number | null;
  full: ReviewView;
  views: ReviewView[];
  /** The probabilities from which an agent drew the action, the largest first. */
  mix?: { action: string; label: string; probability: number }[];
};

export type ReviewDocument = {
  game: string;
  seats: string[];
  players: string[];
  returns: number[];
  reason: string;
  /** Whether it ended by the rules: not by resignation, agreement or time. */
  by_rules: boolean;
  /** The day on which it was played, such as 2026-11-17. */
  date: string | null;
  plies: ReviewPly[];
  /** The seats of agents that failed and chose at random from then on, each with the ply at which that began. */
  failures: { by: number; ply: number }[];
  spectator_key: string;
};

/** What the board of a review shows: what a side saw, or everything. */
export type From = 0 | 1 | "all";

/** The move that led to a moment, as the list of moves writes it: "6. Nf3" or "6...Bg7". */
export function moveName(review: ReviewDocument, at: number): string {
  const move = (review.plies[0]?.full.ply ?? 0) + at - 1;
  const label = review.plies[at]?.label ?? "";
  return `${Math.floor(move / 2) + 1}${move % 2 === 0 ? ". " : "..."}${label}`;
}

export function useReview(id: string, key: string): { review: ReviewDocument | null; error: string } {
  const [review, setReview] = useState<ReviewDocument | null>(null);
  const [error, setError] = useState("");
  useEffect(() => {
    get<ReviewDocument>(`/api/games/${id}/review`, key).then(setReview, (problem: Error) => setError(problem.message));
  }, [id, key]);
  return { review, error };
}
