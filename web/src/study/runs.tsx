// Saved runs of a folder on the server: curves of what they measured, refreshed while they run.
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { get } from "../api";
import { Curves, type Series } from "./curves";
import { specTitle } from "../games";
import { ago } from "../values";
import { messageOf, useJobChanges } from "./jobs";
import { colour, number } from "./numbers";
import { Scroll } from "./scroll";

export type Run = {
  name: string;
  kind: string;
  /** The agent that plays what it has learnt; null if there is none. */
  agent: string | null;
  game: string;
  iteration: number | null;
  changed: number;
  /** Whether a process works on it, in this server or elsewhere on its machine. */
  running: boolean;
  /** The job of this server that trains it now. */
  job: string | null;
};
type Line = Record<string, number>;

const EVERY = 2000;
/** What made a run. */
const KINDS: Record<string, string> = { run: "solver", training: "training" };

export type FoundRuns = { folder: string | null; runs: Run[] | null; error: string };

/** The saved runs on the server, asked for again and again; at once when `version` changes. */
export function useRuns(version: unknown): FoundRuns {
  const [found, setFound] = useState<FoundRuns>({ folder: null, runs: null, error: "" });
  const [changes, setChanges] = useState(0);
  useJobChanges(() => setChanges((now) => now + 1));
  useEffect(() => {
    let wanted = true;
    const look = () =>
      get<{ folder: string | null; runs: Run[] }>("/api/runs").then(
        (now) => wanted && setFound({ ...now, error: "" }),
        (problem: unknown) => wanted && setFound((before) => ({ ...before, error: messageOf(problem) })),
      );
    void look();
    const timer = setInterval(() => void look(), EVERY);
    return () => {
      wanted = false;
      clearInterval(timer);
    };
  }, [version, changes]);
  return found;
}

export function RunTable(props: { runs: Run[]; chosen: string; onChoose: (name: string) => void }): JSX.Element {
  return (
    <Scroll label="Runs">
      <table class="pairs">
        <thead>
          <tr>
            <th>run</th>
            <th>game</th>
            <th>kind</th>
            <th>iteration</th>
            <th>changed</th>
          </tr>
        </thead>
        <tbody>
          {props.runs.map((one) => (
            <tr key={one.name} class={one.name === props.chosen ? "chosen" : ""} data-run={one.name}>
              <td>
                <button type="button" class="step" onClick={() => props.onChoose(one.name)} aria-pressed={one.name === props.chosen}>
                  {one.name}
                </button>
              </td>
              <td>{one.game && specTitle(one.game)}</td>
              <td>{KINDS[one.kind] ?? one.kind}</td>
              <td>{one.iteration ?? "–"}</td>
              <td>{one.running || one.job !== null ? <span class="tag is-running">running</span> : ago(one.changed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

export function RunCurves(props: { run: Run }): JSX.Element {
  const [lines, setLines] = useState<Line[]>([]);
  useEffect(() => {
    let wanted = true;
    get<{ lines: Line[] }>(`/api/runs/metrics?${new URLSearchParams({ run: props.run.name })}`).then(
      (found) => wanted && setLines(found.lines),
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [props.run.name, props.run.changed]);
  const all = useMemo(() => chartsOf(lines), [lines]);
  const charts = all.filter((one) => one.main || !unchanged(one));
  const same = all.filter((one) => !one.main && unchanged(one));
  if (all.length === 0) return <p class="quiet">This run has measured nothing yet.</p>;
  const drawn = (main: boolean) =>
    charts
      .filter((one) => one.main === main)
      .map(({ title, series, logX, logY }) => (
        <Curves key={title} title={title} x="iterations" logX={logX} logY={logY} series={series} height={220} digits={3} legend />
      ));
  const [main, more] = [drawn(true), drawn(false)];
  return (
    <div data-testid="run-curves">
      {main.length > 0 ? (
        <div class="charts">{main}</div>
      ) : (
        <p class="quiet">Exploitability or win rates come with the first check, after some iterations.</p>
      )}
      {main.length > 0 && <p class="quiet">{meaningOf(charts.map((one) => one.group))}</p>}
      {more.length + same.length > 0 && (
        <details>
          <summary>More curves: how the training itself runs</summary>
          <div class="charts">{more}</div>
          {same.map((one) => (
            <p class="quiet" key={one.title}>
              Unchanged all along: {one.title}: {listed(one.series.map((line) => [line.name, line.points[0]![1]]))}.
            </p>
          ))}
        </details>
      )}
    </div>
  );
}

/** Whether a chart would be of level lines. */
const unchanged = (chart: Chart): boolean =>
  chart.series.every(({ points }) => points.length > 1 && points.every(([, value]) => value === points[0]![1]));

/** Values by name; the names are left out where all are the same. */
function listed(values: [string, number][]): string {
  const same = values.every(([, value]) => value === values[0]![1]);
  return same ? number(values[0]![1]) : values.map(([name, value]) => `${name} ${number(value)}`).join(", ");
}

/** What the groups of curves that are shown mean. */
function meaningOf(groups: readonly string[]): string {
  const exploitability = "Exploitability is what an opponent who knows the strategy wins on average, so lower is better and 0 is perfect.";
  const rates = groups.some((group) => RATES.includes(group));
  return [groups.includes("exploitability") && exploitability, rates && "A win rate of 50 % is even."].filter(Boolean).join(" ");
}

/** Curves that say how well a run plays. */
const MAIN = ["exploitability", "win_rates", "latest", "value"];

const FIRST = ["exploitability", "win_rates", "latest", "value", "root_value", "losses"];

const TITLES: Record<string, string> = {
  exploitability: "exploitability, in payoffs per game",
  win_rates: "win rate of what the run plays, in percent",
  latest: "win rate of the last strategy, in percent",
  value: "value for player 0, in payoffs per game",
  root_value: "value for player 0, estimated in the walks, in payoffs per game",
  losses: "losses of the networks, which have no unit",
  filled: "part of the room for samples that is used, in percent",
  bytes: "memory for samples, in MB",
  nodes_per_second: "speed, in million nodes per second",
  touched: "nodes visited, in millions",
};
/** What the numbers of a group are multiplied by to be in the unit of its title. */
const SCALES: Record<string, number> = { win_rates: 100, latest: 100, filled: 100, bytes: 1e-6, nodes_per_second: 1e-6, touched: 1e-6 };

/** Groups whose series are agents. */
const RATES = ["win_rates", "latest"];

/** What a series is called: "regret0" are the regrets of player 0, but an agent's name is its own. */
function seriesName(group: string, name: string): string {
  const words = name.replaceAll("_", " ");
  if (RATES.includes(group)) return words;
  return words.replace(/^(\D*?) ?(\d+)$/, (_, what: string, seat: string) => `${what ? `${what} of ` : ""}player ${seat}`);
}

const WIDE = 50; // last iteration over first, beyond which the axis is logarithmic

type Chart = { group: string; title: string; series: Series[]; logX: boolean; logY: boolean; main: boolean };

/** One chart per group of numbers: "losses.regret" and "losses.value" are in the same one. */
function chartsOf(lines: Line[]): Chart[] {
  const groups = new Map<string, Map<string, [number, number][]>>();
  for (const line of lines) {
    const iteration = line["iteration"];
    if (iteration === undefined) continue;
    for (const [key, value] of Object.entries(line)) {
      if (["iteration", "seconds", "nodes"].includes(key) || /\.(low|high|games|errors?|deals)$/.test(key)) continue;
      const [group, ...rest] = key.split(".");
      const names = groups.get(group!) ?? new Map<string, [number, number][]>();
      groups.set(group!, names);
      const name = rest.join(".").replace(/\.value$/, "") || group!;
      names.set(name, [...(names.get(name) ?? []), [iteration, value * (SCALES[group!] ?? 1)]]);
    }
  }
  const place = (group: string) => (FIRST.includes(group) ? FIRST.indexOf(group) : FIRST.length);
  return [...groups]
    .sort(([one], [other]) => place(one) - place(other))
    .map(([group, names]) => {
      const series = [...names].map(([name, points], k) => ({ name: seriesName(group, name), colour: colour(k), points }));
      const iterations = series.flatMap((one) => one.points.map(([x]) => x));
      const logY = group === "exploitability";
      const logX = logY && Math.max(...iterations) > WIDE * Math.min(...iterations);
      return { group, title: TITLES[group] ?? group.replaceAll("_", " "), series, logX, logY, main: MAIN.includes(group) };
    });
}
