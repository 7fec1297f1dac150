// Saved runs of a folder on the server: curves of what they measured, refreshed while they run.
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { get } from "../api";
import { Curves, type Series } from "./curves";
import { messageOf } from "./jobs";
import { colour } from "./numbers";
import { Scroll } from "./scroll";

type Run = { name: string; kind: string; game: string; iteration: number | null; changed: number };
type Line = Record<string, number>;

const EVERY = 3000;
const FRESH = 120; // seconds since the last change after which a run counts as resting

export function Runs(): JSX.Element {
  const [runs, setRuns] = useState<Run[] | null>(null);
  const [folder, setFolder] = useState<string | null>(null);
  const [chosen, setChosen] = useState("");
  const [error, setError] = useState("");
  useEffect(() => {
    let wanted = true;
    const look = () =>
      get<{ folder: string | null; runs: Run[] }>("/api/runs").then(
        (found) => {
          if (!wanted) return;
          setRuns(found.runs);
          setFolder(found.folder);
          setError("");
        },
        (problem: unknown) => wanted && setError(messageOf(problem)),
      );
    void look();
    const timer = setInterval(() => void look(), EVERY);
    return () => {
      wanted = false;
      clearInterval(timer);
    };
  }, []);
  const run = runs?.find((one) => one.name === chosen) ?? runs?.[0];
  return (
    <section class="panel" aria-label="Saved runs">
      <h2>Runs of solvers and training</h2>
      {error && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      {runs !== null && folder === null && (
        <p class="quiet">
          To see the curves of saved runs here, start the server with <code>fogtree serve --runs FOLDER</code>.
        </p>
      )}
      {folder !== null && runs?.length === 0 && <p class="quiet">There is no run in the folder {folder} yet.</p>}
      {runs !== null && runs.length > 0 && (
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
              {runs.map((one) => (
                <tr key={one.name} class={one.name === run?.name ? "chosen" : ""}>
                  <td>
                    <button type="button" class="step" onClick={() => setChosen(one.name)} aria-pressed={one.name === run?.name}>
                      {one.name}
                    </button>
                  </td>
                  <td>{one.game}</td>
                  <td>{one.kind}</td>
                  <td>{one.iteration ?? "–"}</td>
                  <td>{ago(one.changed)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {run !== undefined && <RunCurves run={run} key={run.name} />}
    </section>
  );
}

function ago(changed: number): string {
  const seconds = Math.max(0, Date.now() / 1000 - changed);
  if (seconds < FRESH) return "just now";
  if (seconds < 7200) return `${Math.round(seconds / 60)} minutes ago`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} hours ago` : `${Math.round(seconds / 86_400)} days ago`;
}

function RunCurves(props: { run: Run }): JSX.Element {
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
  const charts = useMemo(() => chartsOf(lines), [lines]);
  if (charts.length === 0) return <p class="quiet">This run has measured nothing yet.</p>;
  return (
    <div class="charts" data-testid="run-curves">
      {charts.map(({ title, series, log }) => (
        <Curves key={title} title={title} x="iterations" logX={log} logY={log} series={series} height={220} legend />
      ))}
    </div>
  );
}

const FIRST = ["exploitability", "win_rates", "latest", "value", "root_value", "losses"];

type Chart = { title: string; series: Series[]; log: boolean };

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
      names.set(name, [...(names.get(name) ?? []), [iteration, value]]);
    }
  }
  const place = (group: string) => (FIRST.includes(group) ? FIRST.indexOf(group) : FIRST.length);
  return [...groups]
    .sort(([one], [other]) => place(one) - place(other))
    .map(([group, names]) => ({
      title: group.replaceAll("_", " "),
      series: [...names].map(([name, points], k) => ({ name: name.replaceAll("_", " "), colour: colour(k), points })),
      log: group === "exploitability",
    }));
}
