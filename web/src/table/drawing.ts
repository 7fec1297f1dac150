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

/** What is said of an agent that has failed, where it happened. */
export const failureLine = (name: string): string => `${name} failed and plays at random from here on.`;

/** The lines of a log with those of agents that have failed, in order, each after so many lines of the log. */
export function withFailures(lines: readonly string[], failures: readonly { by: number; after: number }[], names: readonly string[]): string[] {
  const told = [...lines];
  for (const { by, after } of [...failures].reverse()) told.splice(Math.min(after, lines.length), 0, failureLine(names[by]!));
  return told;
}

/** "Your hand" or "Greedy's hand". */
export const of = (name: string, what: string): string => (name === "You" ? `Your ${what}` : `${name}'s ${what}`);
