// A player's own circles and arrows on the fog; they stay in this browser.
import { useCallback, useState } from "preact/hooks";
import type { Arrow } from "./arrows";

type Kept = { squares: number[]; arrows: string[] };

export function useMarkers(id: string): {
  markers: ReadonlySet<number>;
  arrows: Arrow[];
  mark: (square: number) => void;
  draw: (move: string) => void;
  clear: () => void;
} {
  const name = `fogtree.markers.${id}`;
  const [kept, setKept] = useState<Kept>(
    () => JSON.parse(sessionStorage.getItem(name) ?? '{"squares":[],"arrows":[]}') as Kept,
  );
  const change = useCallback(
    (next: (before: Kept) => Kept) =>
      setKept((before) => {
        const after = next(before);
        sessionStorage.setItem(name, JSON.stringify(after));
        return after;
      }),
    [name],
  );
  const toggled = <T>(list: T[], one: T) => (list.includes(one) ? list.filter((x) => x !== one) : [...list, one]);
  return {
    markers: new Set(kept.squares),
    arrows: kept.arrows.map((move) => ({ move, weight: 0.4, kind: "own" })),
    mark: (square) => change((before) => ({ ...before, squares: toggled(before.squares, square) })),
    draw: (move) => change((before) => ({ ...before, arrows: toggled(before.arrows, move) })),
    clear: () => change(() => ({ squares: [], arrows: [] })),
  };
}
