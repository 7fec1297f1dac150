// The games with which the pages for study begin, until somebody chooses another one.

/** Small enough to be solved at once. */
export const FIRST_SOLVED = "kuhn_poker";

/** Deals of that game for the first walk-through. */
export const FIRST_DEALS = "JQ, JK";

export const FIRST_MATCH = "cambia";
