// Makes games: new ones, rematches with the seats turned by one, and the next hand of a series.
import { accessToken, post } from "./api";
import { keepKey, keepSetup, SPECTATOR, type NewGame, type Series, type Setup } from "./keys";

export type Made = { id: string; keys: Record<string, string>; seat: number; spectator_key: string };

/** Ask the server for a game, and keep the key of our own seat. */
export async function makeGame(request: NewGame, seat: number, series?: Series): Promise<Made> {
  const made = await post<{ id: string; keys: Record<string, string>; spectator_key: string }>("/api/games", request);
  keepKey(made.id, seat, made.keys[seat]!);
  const others = Object.fromEntries(Object.entries(made.keys).filter(([other]) => Number(other) !== seat));
  keepSetup(made.id, { request, seat, series, spectator: made.spectator_key, others });
  return { ...made, seat };
}

/** The address of a game for another person. The key, and the token of a server that has one, stay behind the #,
 *  which browsers do not send over the network. */
function link(game: string, seat: number, key: string, query = ""): string {
  const handed = new URLSearchParams({ seat: String(seat), key });
  if (accessToken()) handed.set("token", accessToken());
  return `${location.origin}/game/${game}${query}#${handed}`;
}

/** The address that gives another person their seat. */
export function invitation(game: string, seat: number, key: string): string {
  return link(game, seat, key);
}

/** The address for somebody who looks at the game when it is over, at one of its positions if there is a query. */
export function spectatorLink(id: string, key: string, query = ""): string {
  return link(id, SPECTATOR, key, query);
}

export const WATCH_LABEL = "For spectators: shows the game as soon as it is over, and nothing before";
export const WATCH_REASON =
  "Until then a spectator sees nothing, because spectators could tell a player what is hidden; then they see everything.";

/** Moves that were made on the board of the form, before their games were there. */
const firstMoves = new Map<string, string>();

export function keepFirstMove(game: string, move: string): void {
  firstMoves.set(game, move);
}

/** The square to which a move was made before the game was there; it has the focus when the game is. */
export function firstMoveTo(game: string): string | null {
  return firstMoves.get(game)?.slice(2, 4) ?? null;
}

/** The move that was made before the game was there; it is told once. */
export function takeFirstMove(game: string): string | null {
  const move = firstMoves.get(game) ?? null;
  firstMoves.delete(game);
  return move;
}

/** The same game with everybody one seat further: with two players the sides are swapped. */
export function turned(setup: Setup, previous: string): { request: NewGame; seat: number } {
  const { request, seat } = setup;
  const count = request.seats.length;
  const seats = request.seats.map((_, number) => request.seats[(number + count - 1) % count]!);
  return { request: { ...request, seats, previous }, seat: (seat + 1) % count };
}
