// A move set in advance: it is played as soon as it is our turn, if it is legal then. A reload of the page keeps it.
import { useLayoutEffect, useState } from "preact/hooks";
import type { ViewEvent } from "../live_game";
import type { ChessView } from "./history";

/** A move, and the number of moves in the game when it is to be played: a premove is for one decision only. */
type Premove = { move: string; ply: number };

export function usePremove(
  id: string,
  now: ViewEvent<ChessView>,
  act: (move: string) => void,
  /** A move that is set when the board is first drawn. */
  first: () => string | null,
): [string | null, (move: string | null) => void] {
  const name = `fogtree.premove.${id}.${now.view.side}`;
  const [premove, setPremove] = useState<Premove | null>(() => {
    const move = first();
    if (move !== null) return { move, ply: now.view.ply + (now.turn ? 0 : 1) };
    return JSON.parse(sessionStorage.getItem(name) ?? "null") as Premove | null;
  });
  const set = (next: Premove | null) => {
    if (next === null) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, JSON.stringify(next));
    setPremove(next);
  };
  useLayoutEffect(() => {
    const { ply } = now.view;
    if (premove === null || (!now.turn && ply === premove.ply - 1)) return;
    set(null);
    if (!now.turn || ply !== premove.ply) return; // the decision that it was for does not come
    const legal = now.actions.map((one) => one.action);
    const made = legal.find((move) => move === premove.move) ?? legal.find((move) => move === premove.move.slice(0, 4));
    if (made) act(made);
  }, [now.n]);
  // While our own move is on its way, the view is still the one before it.
  const next = now.view.ply + (now.turn ? 2 : 1);
  return [premove?.move ?? null, (move) => set(move === null ? null : { move, ply: next })];
}
