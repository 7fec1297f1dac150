// The seats that this browser plays, and how their games were made, kept in its local storage.

export type NewGame = {
  game: string;
  seats: { agent?: string; name?: string }[];
  clock: { seconds: number; increment: number } | null;
  move_seconds: number;
  casual: boolean;
  previous?: string;
};

/** Several hands in a row: which hand this is, and what each was worth to us so far. */
export type Series = { returns: number[]; rotate: boolean };

export type Setup = { request: NewGame; seat: number; series?: Series };

const MOST_KEPT = 100;

function remember(game: string): void {
  const kept = JSON.parse(localStorage.getItem("fogtree.recent") ?? "[]") as string[];
  const recent = [game, ...kept.filter((other) => other !== game)];
  for (const old of recent.splice(MOST_KEPT)) {
    localStorage.removeItem(`fogtree.seat.${old}`);
    localStorage.removeItem(`fogtree.setup.${old}`);
  }
  localStorage.setItem("fogtree.recent", JSON.stringify(recent));
}

export function keepKey(game: string, seat: number, key: string): void {
  localStorage.setItem(`fogtree.seat.${game}`, JSON.stringify({ seat, key }));
  remember(game);
}

export function findKey(game: string): { seat: number; key: string } | null {
  const handed = new URLSearchParams(location.hash.slice(1));
  const key = handed.get("key");
  if (key !== null) {
    keepKey(game, Number(handed.get("seat") ?? 0), key);
    history.replaceState(null, "", location.pathname);
  }
  const kept = localStorage.getItem(`fogtree.seat.${game}`);
  return kept === null ? null : (JSON.parse(kept) as { seat: number; key: string });
}

export function keepSetup(game: string, setup: Setup): void {
  localStorage.setItem(`fogtree.setup.${game}`, JSON.stringify(setup));
}

export function findSetup(game: string): Setup | null {
  const kept = localStorage.getItem(`fogtree.setup.${game}`);
  return kept === null ? null : (JSON.parse(kept) as Setup);
}
