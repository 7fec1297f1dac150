// A move set in advance: it is played as soon as it is our turn, if it is legal then.
import { useLayoutEffect, useState } from "preact/hooks";
import type { ViewEvent } from "../live_game";

export function usePremove(
  now: ViewEvent<unknown>,
  act: (move: string) => void,
  /** A move that is set when the board is first drawn. */
  first: () => string | null,
): [string | null, (move: string | null) => void] {
  const [premove, setPremove] = useState<string | null>(first);
  useLayoutEffect(() => {
    if (premove === null || !now.turn) return;
    const legal = now.actions.map((one) => one.action);
    const made = legal.find((move) => move === premove) ?? legal.find((move) => move === premove.slice(0, 4));
    setPremove(null);
    if (made) act(made);
  }, [now.n]);
  return [premove, setPremove];
}
