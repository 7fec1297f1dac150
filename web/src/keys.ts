// The keys of seats that this browser plays, kept in its local storage.

export function keepKey(game: string, seat: number, key: string): void {
  localStorage.setItem(`fogtree.seat.${game}`, JSON.stringify({ seat, key }));
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
