// Makes games: new ones, rematches with the seats turned by one, and the next hand of a series.
import { post } from "./api";
import { keepKey, keepSetup, SPECTATOR, type NewGame, type Series, type Setup } from "./keys";

export type Made = { id: string; keys: Record<string, string>; seat: number; spectator_key: string };

/** Ask the server for a game, and keep the key of our own seat. */
export async function makeGame(request: NewGame, seat: number, series?: Series): Promise<Made> {
  const made = await post<{ id: string; keys: Record<string, string>; spectator_key: string }>("/api/games", request);
  keepKey(made.id, seat, made.keys[seat]!);
  keepSetup(made.id, { request, seat, series, spectator: made.spectator_key });
  return { ...made, seat };
}

/** The address that gives another person their seat; the key stays behind the #. */
export function invitation(made: Made, seat: number): string {
  return `${location.origin}/game/${made.id}#seat=${seat}&key=${made.keys[seat]}`;
}

/** The address for somebody who looks at the game when it is over, at one of its positions if there is a query. */
export function spectatorLink(id: string, key: string, query = ""): string {
  return `${location.origin}/game/${id}${query}#seat=${SPECTATOR}&key=${key}`;
}

export const WATCH_LABEL = "For spectators: shows the game as soon as it is over, and nothing before";
export const WATCH_REASON =
  "Whoever saw a running game could tell a player what is hidden, so a spectator sees nothing until the end, and then everything.";

/** Moves that were made on the board of the form, before their games were there. */
const firstMoves = new Map<string, string>();

export function keepFirstMove(game: string, move: string): void {
  firstMoves.set(game, move);
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
