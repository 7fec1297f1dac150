// Values with their sign, shares in percent and moments, as the pages write them.

/** A value with its sign; one that is rounded to 0 has none. */
export function signed(value: number, digits = 2): string {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace("-", "") : (value > 0 ? "+" : "") + text;
}

/** The fewest decimals, within bounds, with which no two different values look the same. */
export function decimalsFor(values: readonly number[], least = 2, most = 3): number {
  const different = (digits: number) => new Set(values.map((value) => value.toFixed(digits))).size;
  for (let digits = least; digits < most; digits++) if (different(digits) === different(most)) return digits;
  return most;
}

/** The decimals with which the difference of two values fits them as they are written: the fewest from 2 on. */
export function differenceDigits(one: number, other: number, most = 6): number {
  const fits = (digits: number) => (Number(one.toFixed(digits)) - Number(other.toFixed(digits))).toFixed(digits) === (one - other).toFixed(digits);
  for (let digits = 2; digits < most; digits++) if (fits(digits)) return digits;
  return most;
}

/** A payoff with its sign and at most two decimals: "+1", "-0.33". */
export const worth = (value: number): string => (value > 0 ? "+" : "") + String(Math.round(100 * value) / 100);

export const upper = (text: string): string => (text[0]?.toUpperCase() ?? "") + text.slice(1);

/** A line with a capital letter and a full stop. */
export const sentence = (line: string): string => `${upper(line.replace(/\.$/, ""))}.`;

/** Shares are sent with four decimals: from here on they count as 1. */
const CERTAIN = 0.99995;

const FRESH = 120; // seconds that count as just now

/** How long ago a moment was, given in seconds since 1970. */
export function ago(moment: number): string {
  const seconds = Math.max(0, Date.now() / 1000 - moment);
  if (seconds < FRESH) return "just now";
  if (seconds < 7200) return `${Math.round(seconds / 60)} minutes ago`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} hours ago` : `${Math.round(seconds / 86_400)} days ago`;
}

/** A share in whole percent. What is possible is never called 0 %, and what is not certain never 100 %. */
export function percent(share: number): string {
  if (share > 0 && share < 0.005) return "under 1 %";
  return share >= 0.995 && share < CERTAIN ? "over 99 %" : `${Math.round(100 * share)} %`;
}

/** A number with what it counts: "1 point", "2 points". */
export const counted = (number: number, what: string): string => `${number} ${what}${number === 1 ? "" : "s"}`;
