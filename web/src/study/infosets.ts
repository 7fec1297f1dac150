// Information sets of a solution, as the server describes them.

/** Reached in a smaller share of games, an information set is drawn faded. */
export const RARE = 0.001;

/** Why good solutions can differ. */
export const EQUILIBRIA =
  "Two equilibria of a game can play differently and both be right: a game may have many, and only its value is the same in all.";

export type Choice = { action: string; probability: number; value: number | null };
export type Infoset = { infoset: string; player: number; reach: number; expected_value: number | null; actions: Choice[] };
export type Place = Partial<Infoset> & {
  path: string[];
  player: number;
  outcomes?: Record<string, number>;
  returns?: number[];
};
export type Listed = Infoset & { path: string[] };

/** What the best action would gain over the mix. */
export function largestRegret(actions: Choice[], expected: number | null | undefined): number | null {
  const known = actions.flatMap((one) => regret(one, expected) ?? []);
  return known.length > 0 ? Math.max(...known, 0) : null;
}

export function regret(one: Choice, expected: number | null | undefined): number | null {
  return one.value === null || expected === null || expected === undefined ? null : one.value - expected;
}
