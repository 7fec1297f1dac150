// What every drawn table is given, and the log of what happened in words.
import type { Action, LiveGame } from "../live_game";

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

/** What is said of an agent that has failed. */
export const failureLine = (name: string): string => `${name} failed and plays at random from here on.`;

/** The lines of a log with those of agents that have failed; `before` counts the lines after so many views. */
export function withFailures(lines: readonly string[], failures: LiveGame["failures"], names: readonly string[], before: (views: number) => number): string[] {
  const told = [...lines];
  for (const { by, views } of failures.toReversed()) told.splice(Math.min(before(views), lines.length), 0, failureLine(names[by]!));
  return told;
}

/** "Your hand" or "Greedy's hand". */
export const of = (name: string, what: string): string => (name === "You" ? `Your ${what}` : `${name}'s ${what}`);
