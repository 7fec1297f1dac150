// What every drawn table is given, and the log of what happened in words.
import type { Action } from "../live_game";

/** A line of the log: a whole sentence, or what follows a player's name (text) or "You" (yours). */
export type LogLine = { seat: number | null; text: string; yours?: string };

export type Drawing<View> = {
  view: View & { moves?: LogLine[] };
  /** How each player is called; our own seat is "You". */
  names: string[];
  /** What we may do now; empty while others decide and in reviews. */
  actions: readonly Action[];
  act: (action: string) => void;
  /** The seat that is drawn at the bottom where a view is nobody's own. */
  bottom?: number;
};

export function logLines(moves: readonly LogLine[], names: readonly string[]): string[] {
  return moves.map((one) => {
    if (one.seat === null) return one.text;
    const name = names[one.seat]!;
    return name === "You" ? `You ${one.yours}.` : `${name} ${one.text}.`;
  });
}

/** "Your hand" or "Greedy's hand". */
export const of = (name: string, what: string): string => (name === "You" ? `Your ${what}` : `${name}'s ${what}`);
