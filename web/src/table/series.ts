// Several hands in a row: the score so far, and the next hand.
import { useEffect, useState } from "preact/hooks";
import { findSetup, keepSetup, type Series } from "../keys";
import type { LiveGame } from "../live_game";
import { makeGame, turned } from "../new_game";
import { navigate } from "../router";

export type Score = { hands: number; total: number; returns: number[] };

export function scoreOf(series: Series | undefined): Score {
  const returns = series?.returns ?? [];
  return { hands: returns.length, total: returns.reduce((sum, one) => sum + one, 0), returns };
}

/** The score with this hand, and what starts the next one. */
export function useSeries(id: string, live: LiveGame): { score: Score; next: (() => Promise<void>) | null } {
  const [setup, setSetup] = useState(() => findSetup(id));
  const [counted, setCounted] = useState(false);
  const over = live.over;
  useEffect(() => {
    const before = findSetup(id);
    if (!over || !before || counted) return;
    setCounted(true);
    if (sessionStorage.getItem(`fogtree.counted.${id}`)) return;
    sessionStorage.setItem(`fogtree.counted.${id}`, "1");
    const series = before.series ?? { returns: [], rotate: true };
    const after = { ...before, series: { ...series, returns: [...series.returns, over.returns[before.seat] ?? 0] } };
    keepSetup(id, after);
    setSetup(after);
  }, [over]);
  const next = async () => {
    if (!setup) return;
    const series = setup.series ?? { returns: [], rotate: true };
    const { request, seat } = series.rotate ? turned(setup, id) : { request: setup.request, seat: setup.seat };
    const made = await makeGame(request, seat, series);
    navigate(`/game/${made.id}`, true);
  };
  const onlyAgents = setup?.request.seats.every((one, seat) => one.agent !== undefined || seat === setup.seat);
  return { score: scoreOf(setup?.series), next: setup && onlyAgents ? next : null };
}
