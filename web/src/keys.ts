// The seats that this browser plays, and how their games were made, kept in its local storage.

export type NewGame = {
  game: string;
  seats: { agent?: string; name?: string }[];
  clock: { seconds: number; increment: number } | null;
  move_seconds: number;
  casual: boolean;
  previous?: string;
  /** Seconds for each decision that has a time of its own, such as a snap; left out: no limit. */
  timeout_seconds?: number;
};

/** Hands that were compared with an equilibrium: its value in our seats, and what our actions gave up, in all; `seats`: those
 * that we had, each once. */
export type Compared = { hands: number; value: number; given_up: number; seats?: number[] };

/** Several hands in a row: what each was worth to us so far. */
export type Series = { returns: number[]; rotate: boolean; compared?: Compared };

export type Setup = {
  request: NewGame;
  seat: number;
  series?: Series;
  spectator?: string;
  /** The keys of the other people's seats, for whoever made the game. */
  others?: Record<string, string>;
};

/** In place of a seat's number: somebody who may look at the game when it is over. */
export const SPECTATOR = -1;

const MOST_KEPT = 100;

function remember(game: string): void {
  const kept = JSON.parse(localStorage.getItem("fogtree.recent") ?? "[]") as string[];
  const recent = [game, ...kept.filter((other) => other !== game)];
  for (const old of recent.splice(MOST_KEPT)) {
    localStorage.removeItem(`fogtree.seat.${old}`);
    localStorage.removeItem(`fogtree.setup.${old}`);
    localStorage.removeItem(`fogtree.game.${old}`);
    localStorage.removeItem(`fogtree.unlisted.${old}`);
    localStorage.removeItem(`fogtree.origin.${old}`);
  }
  localStorage.setItem("fogtree.recent", JSON.stringify(recent));
}

/** `listed`: whether the list of one's games on the first page shows it. */
export function keepKey(game: string, seat: number, key: string, listed = true): void {
  if (!listed) localStorage.setItem(`fogtree.unlisted.${game}`, "1");
  localStorage.setItem(`fogtree.seat.${game}`, JSON.stringify({ seat, key }));
  remember(game);
}

/** Keep the page from which a game was opened, for a link back to it. */
export function keepOrigin(game: string, page: string): void {
  localStorage.setItem(`fogtree.origin.${game}`, page);
}

export const findOrigin = (game: string): string | null => localStorage.getItem(`fogtree.origin.${game}`);

export function findKey(game: string): { seat: number; key: string } | null {
  const handed = new URLSearchParams(location.hash.slice(1));
  const key = handed.get("key");
  if (key !== null) {
    const seat = Number(handed.get("seat") ?? 0);
    // Whoever has a seat keeps it, also after opening a link for spectators.
    if (seat !== SPECTATOR || localStorage.getItem(`fogtree.seat.${game}`) === null) keepKey(game, seat, key);
    history.replaceState(null, "", location.pathname + location.search);
  }
  return seatIn(game);
}

export function keepSetup(game: string, setup: Setup): void {
  localStorage.setItem(`fogtree.setup.${game}`, JSON.stringify(setup));
}

export function findSetup(game: string): Setup | null {
  const kept = localStorage.getItem(`fogtree.setup.${game}`);
  return kept === null ? null : (JSON.parse(kept) as Setup);
}

/** What the list of games on the first page says of one of them. */
export type RecentGame = {
  game: string;
  players: string;
  /** How it ended; left out while it runs. */
  result?: string;
  /** When it was last looked at, in milliseconds. */
  when: number;
};

/** Note what a game is and how it ended, for the list on the first page. */
export function noteGame(id: string, about: Omit<RecentGame, "when">): void {
  localStorage.setItem(`fogtree.game.${id}`, JSON.stringify({ ...about, when: Date.now() }));
}

/** Note how a game ended that nobody here watched. */
export function noteResult(id: string, result: string): void {
  const kept = localStorage.getItem(`fogtree.game.${id}`);
  if (kept !== null) localStorage.setItem(`fogtree.game.${id}`, JSON.stringify({ ...JSON.parse(kept), result }));
}

/** The seat that this browser has in a game. */
export function seatIn(game: string): { seat: number; key: string } | null {
  const kept = localStorage.getItem(`fogtree.seat.${game}`);
  return kept === null ? null : (JSON.parse(kept) as { seat: number; key: string });
}

/** The keys of all games of this browser, by game. */
export function keptKeys(): Record<string, string> {
  const ids = JSON.parse(localStorage.getItem("fogtree.recent") ?? "[]") as string[];
  return Object.fromEntries(ids.flatMap((id) => (seatIn(id) ? [[id, seatIn(id)!.key]] : [])));
}

/** Keep the identifier of an analysis that was started here: nobody else can look at it. */
export function keepAnalysis(id: string): void {
  localStorage.setItem("fogtree.analyses", JSON.stringify([id, ...keptAnalyses()].slice(0, MOST_KEPT)));
}

export function keptAnalyses(): string[] {
  return JSON.parse(localStorage.getItem("fogtree.analyses") ?? "[]") as string[];
}

/** The games of this browser, the latest first; of several hands in a row the last one, with the score. */
export function recentGames(): (RecentGame & { id: string; score: string })[] {
  const ids = JSON.parse(localStorage.getItem("fogtree.recent") ?? "[]") as string[];
  const setups = new Map(ids.map((id) => [id, findSetup(id)]));
  const continued = new Set([...setups.values()].flatMap((one) => (one?.series && one.request.previous) || []));
  return ids.flatMap((id) => {
    const kept = localStorage.getItem(`fogtree.game.${id}`);
    if (kept === null || continued.has(id) || localStorage.getItem(`fogtree.unlisted.${id}`) !== null) return [];
    const hands = setups.get(id)?.series?.returns ?? [];
    const total = hands.reduce((sum, one) => sum + one, 0);
    const score = hands.length > 1 ? `Score ${total > 0 ? "+" : ""}${Math.round(100 * total) / 100} in ${hands.length} hands.` : "";
    return [{ ...(JSON.parse(kept) as RecentGame), id, score }];
  });
}

/** Seconds for decisions that have a time of their own, as last chosen for a new game of this kind; 0: no limit. */
export function keptTimeout(game: string): number {
  return Number(localStorage.getItem(`fogtree.timeout.${game}`) ?? "0");
}

export function keepTimeout(game: string, seconds: number): void {
  localStorage.setItem(`fogtree.timeout.${game}`, String(seconds));
}
