// Several hands in a row: the score so far, and the next hand.
import { useLayoutEffect, useState } from "preact/hooks";
import { findSetup, keepSetup, type Compared, type Series } from "../keys";
import type { LiveGame } from "../live_game";
import { makeGame, turned } from "../new_game";
import { navigate } from "../router";

export type Score = { hands: number; total: number; returns: number[] };

export function scoreOf(series: Series | undefined): Score {
  const returns = series?.returns ?? [];
  return { hands: returns.length, total: returns.reduce((sum, one) => sum + one, 0), returns };
}

/** Add a hand to those that were compared with an equilibrium, once; returns all of them. */
export function compareHand(id: string, seat: number, value: number, given_up: number): Compared {
  const setup = findSetup(id);
  const before = setup?.series?.compared ?? { hands: 0, value: 0, given_up: 0 };
  const done = `fogtree.compared.${id}`;
  if (!setup || sessionStorage.getItem(done)) return before;
  sessionStorage.setItem(done, "1");
  const compared = {
    hands: before.hands + 1,
    value: before.value + value,
    given_up: before.given_up + given_up,
    seats: [...new Set([...(before.seats ?? []), seat])],
  };
  const series = setup.series ?? { returns: [], rotate: true };
  keepSetup(id, { ...setup, series: { ...series, compared } });
  return compared;
}

/** The score with this hand, and what starts the next one. */
export function useSeries(id: string, live: LiveGame): { score: Score; next: (() => Promise<void>) | null } {
  const [setup, setSetup] = useState(() => findSetup(id));
  const [counted, setCounted] = useState(false);
  const over = live.over;
  useLayoutEffect(() => {
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
    const last = findSetup(id); // with what was noted since
    if (!last) return;
    const series = last.series ?? { returns: [], rotate: true };
    const same = { request: { ...last.request, previous: id }, seat: last.seat };
    const { request, seat } = series.rotate ? turned(last, id) : same;
    const made = await makeGame(request, seat, series);
    navigate(`/game/${made.id}`, true);
  };
  const onlyAgents = setup?.request.seats.every((one, seat) => one.agent !== undefined || seat === setup.seat);
  return { score: scoreOf(setup?.series), next: setup && onlyAgents ? next : null };
}
