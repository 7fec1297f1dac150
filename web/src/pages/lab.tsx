// The solver lab: algorithms side by side on one game, live, and a look into what they play.
import type { JSX, RefObject } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { get } from "../api";
import { FIRST_SOLVED } from "../first_games";
import { FoldOnPhone } from "../fold_on_phone";
import { useAlgorithms } from "../study/algorithms";
import { Curves, type Series } from "../study/curves";
import { GameChoice } from "../study/game_choice";
import { JobControls, JobError } from "../study/job_controls";
import { isLive, keepQuery, messageOf, queryValue, useJob, type JobEvent } from "../study/jobs";
import { colour, column, count, magnitudes, rough, seconds } from "../study/numbers";
import { Swatch } from "../study/mix";
import { useStudyGames } from "../study/own_game";
import { Scroll } from "../study/scroll";
import { StartForm } from "../study/start_form";
import { SolutionBrowser } from "../study/solution";
import "../styles/study.css";

type Point = { algorithm: string; iteration: number; seconds: number; exploitability: number; value: number };
type Exact = { value: number | null; why?: string };

/** The fields of the form, as they were when a job was started. */
type Asked = { game: string; algorithms: string[]; iterations: number; until: number };

const USUAL: Asked = { game: FIRST_SOLVED, algorithms: ["cfr", "cfr+", "dcfr"], iterations: 10_000, until: 0 };

/** What a job was asked for; null until it is known. */
function askedIn(events: readonly JobEvent[]): Asked | null {
  const first = events.find((one) => one.type === "compiling" && "algorithms" in one);
  return first === undefined ? null : (first as unknown as Asked);
}

export function LabPage(): JSX.Element {
  const [job, setJob] = useState(() => queryValue("job"));
  const [started, setStarted] = useState(false);
  const [asked, setAsked] = useState<Asked | null>(null); // of a job from a link, not of one from this form
  return (
    <>
      <h1>Solver lab</h1>
      <p class="quiet">
        Choose a game and algorithms, and watch how fast each one comes close to an equilibrium. Exploitability is what
        opponents who know the strategy could win on average; at 0 nobody can do better.
      </p>
      <NewLab
        key={asked === null ? "usual" : "asked"}
        first={asked ?? USUAL}
        onStart={(id) => {
          keepQuery({ job: id });
          setJob(id);
          setStarted(true);
        }}
      />
      {job !== "" && <LabJob id={job} key={job} lead={started} onAsked={started ? undefined : setAsked} />}
    </>
  );
}

function NewLab(props: { first: Asked; onStart: (id: string) => void }): JSX.Element {
  const { first } = props;
  const { games, own, error: unreachable } = useStudyGames();
  const { algorithms, error } = useAlgorithms();
  const names = algorithms.map((one) => one.name);
  const [game, setGame] = useState(first.game);
  const [chosen, setChosen] = useState(first.algorithms);
  const [iterations, setIterations] = useState(String(first.iterations));
  const [until, setUntil] = useState(first.until > 0 ? String(first.until) : "");
  const large = games.find((one) => one.name === game)?.too_large != null; // other parameters the server checks
  const asked = () => ({ game, algorithms: chosen, iterations: Number(iterations), until: Number(until) });
  return (
    <StartForm path="/api/lab" asked={asked} onStart={(job) => props.onStart(job.id)} problem={error || unreachable}>
      <div class="row">
        <GameChoice games={games} own={own} first={first.game} onChange={setGame} solving />
        <label>
          Iterations
          <input type="number" min={1} max={10_000_000} value={iterations} onInput={(e) => setIterations(e.currentTarget.value)} />
        </label>
        <label>
          or until exploitability
          <input type="number" min={0} step="any" placeholder="no limit" value={until} onInput={(e) => setUntil(e.currentTarget.value)} />
        </label>
        <button
          type="submit"
          class="action primary"
          disabled={large || chosen.length === 0}
          aria-describedby={large ? "too-large" : undefined}
          data-testid="solve"
        >
          Solve
        </button>
      </div>
      <FoldOnPhone summary={`Algorithms: ${chosen.join(", ") || "none"}`}>
        <fieldset class="checks wide-checks">
          <legend>Algorithms (cfr+ is a good first choice; the others show how they differ)</legend>
          {algorithms.map(({ name, summary }, number) => (
            <div key={name}>
              <label class="check">
                <input
                  type="checkbox"
                  checked={chosen.includes(name)}
                  aria-describedby={`algorithm-${number}`}
                  onChange={(event) =>
                    setChosen(event.currentTarget.checked ? names.filter((one) => one === name || chosen.includes(one)) : chosen.filter((one) => one !== name))
                  }
                />
                {name}
              </label>
              <p class="quiet" id={`algorithm-${number}`}>
                {summary}
              </p>
            </div>
          ))}
        </fieldset>
      </FoldOnPhone>
    </StartForm>
  );
}

const STATUS: Record<string, string> = {
  running: "running",
  paused: "paused",
  stopping: "stopping",
  stopped: "stopped",
  done: "finished",
  failed: "failed",
};

/** ``lead`` takes the visitor, who has just started it, to what it shows. */
function LabJob(props: { id: string; lead: boolean; onAsked?: (asked: Asked) => void }): JSX.Element {
  const job = useJob(props.id);
  const { summary, events } = job;
  const asked = askedIn(events);
  useEffect(() => {
    if (asked !== null) props.onAsked?.(asked);
  }, [asked === null]);
  const [refused, setRefused] = useState("");
  const points = useMemo(() => pointsOf(events), [events]);
  const compiled = events.find((event) => event.type === "compiled");
  const exact = useExact(props.id, compiled !== undefined);
  const algorithms = Object.keys(points);
  const version = useSlowly(events.length, summary?.status === "running");
  const progress = useLead(props.lead, algorithms.length > 0);
  return (
    <>
      <section class="panel" aria-label="Progress" ref={progress} tabIndex={-1}>
        <div class="row spread">
          <p class="status" role="status" data-testid="status">
            <b>{summary?.title}</b> · {job.gone ? "gone: the server was started again, or many others came since; solve the game again" : summary === null ? "loading" : STATUS[summary.status]}
            {compiled === undefined
              ? isLive(summary) && " · compiling the game"
              : ` · ${count(compiled["histories"] as number)} histories, ${count(compiled["infosets"] as number)} information sets`}
          </p>
          <JobControls job={job} onError={setRefused} />
        </div>
        <JobError job={job} refused={refused} />
        {algorithms.length > 0 && (
          <>
            <div class="charts">
              <Curves title="Exploitability over iterations" x="iterations" logX logY legend series={curves(points, "iteration", "exploitability")} />
              <Curves title="Exploitability over time" x="seconds of processor time" logX logY legend series={curves(points, "seconds", "exploitability")} />
              <Curves title="Value for player 0" x="iterations" logX legend series={withExact(curves(points, "iteration", "value"), exact)} />
            </div>
            <Meaning points={points} />
            <LastNumbers points={points} exact={exact} />
            <p class="quiet">
              Time counts what the processor worked on solving; measuring exploitability and other programs do not count. The value is
              what player 0 gets on average. A history is one way the game can go so far.
            </p>
          </>
        )}
      </section>
      {algorithms.length > 0 && (
        <SolutionBrowser
          job={props.id}
          game={String(compiled?.["game"] ?? "")}
          players={Number(compiled?.["players"] ?? 2)}
          algorithms={exact?.value != null ? [...algorithms, "equilibrium"] : algorithms}
          best={bestOf(points).algorithm}
          version={version}
        />
      )}
    </>
  );
}

/** The last point of the algorithm with the lowest exploitability so far. */
function bestOf(points: Record<string, Point[]>): Point {
  const last = Object.values(points).map((list) => list.at(-1)!);
  return last.reduce((one, other) => (other.exploitability < one.exploitability ? other : one));
}

/** What the curves say, in a sentence with their best number. */
function Meaning(props: { points: Record<string, Point[]> }): JSX.Element {
  const best = bestOf(props.points);
  return (
    <p data-testid="meaning">
      In the charts of exploitability lower is better; each grid line is a tenth of the one above. After{" "}
      {count(best.iteration)} iterations, opponents who know the strategy of <b>{best.algorithm}</b> win{" "}
      <span class="nowrap">{rough(best.exploitability)}</span> per game on average.
    </p>
  );
}

function LastNumbers(props: { points: Record<string, Point[]>; exact: Exact | null }): JSX.Element {
  const { exact } = props;
  const last = Object.values(props.points).map((list) => list.at(-1)!);
  const exploitabilities = magnitudes(last.map((one) => one.exploitability));
  const values = column([...last.map((one) => one.value), exact?.value]);
  return (
    <Scroll label="Where each algorithm is">
      <table class="stacked" data-testid="numbers">
        <thead>
          <tr>
            <th>algorithm</th>
            <th>exploitability</th>
            <th>value for player 0</th>
            <th>iterations</th>
            <th>time</th>
          </tr>
        </thead>
        <tbody>
          {Object.keys(props.points).map((name, k) => (
            <tr key={name}>
              <td>
                <Swatch index={k} /> {name}
              </td>
              <td data-label="exploitability">{exploitabilities[k]}</td>
              <td data-label="value for player 0">{values[k]}</td>
              <td data-label="iterations">{count(last[k]!.iteration)}</td>
              <td data-label="time">{seconds(last[k]!.seconds)}</td>
            </tr>
          ))}
          {exact !== null && exact.value !== null && (
            <tr data-testid="exact">
              <td>- - exact equilibrium</td>
              <td data-label="exploitability">0</td>
              <td data-label="value for player 0">{values.at(-1)}</td>
              <td />
              <td />
            </tr>
          )}
        </tbody>
      </table>
      {exact?.why && <p class="quiet">No exact value: {exact.why}.</p>}
    </Scroll>
  );
}

/** A part of the page that gets the focus and is scrolled into view if ``lead``: at once, and when it is ``filled``
 * unless the visitor has gone elsewhere. */
function useLead(lead: boolean, filled: boolean): RefObject<HTMLElement | null> {
  const part = useRef<HTMLElement>(null);
  useEffect(() => {
    const found = part.current;
    if (!lead || !found) return;
    if (filled && document.activeElement !== found) return;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    found.focus({ preventScroll: true });
    found.scrollIntoView({ behavior: calm ? "auto" : "smooth", block: "start" });
  }, [filled]);
  return part;
}

function pointsOf(events: JobEvent[]): Record<string, Point[]> {
  const found: Record<string, Point[]> = {};
  for (const event of events) {
    if (event.type !== "point") continue;
    const point = event as unknown as Point;
    (found[point.algorithm] ??= []).push(point);
  }
  return found;
}

function curves(points: Record<string, Point[]>, x: "iteration" | "seconds", y: "exploitability" | "value"): Series[] {
  return Object.entries(points).map(([name, list], k) => ({
    name,
    colour: colour(k),
    points: list.map((point): [number, number] => [point[x], point[y]]),
  }));
}

function withExact(series: Series[], exact: Exact | null): Series[] {
  const value = exact?.value;
  if (value === null || value === undefined) return series;
  const all = series.flatMap((one) => one.points.map(([x]) => x));
  const ends = [Math.min(...all), Math.max(...all)];
  return [...series, { name: "exact", colour: "#7d858e", dashed: true, points: ends.map((x) => [x, value]) }];
}

function useExact(job: string, ready: boolean): Exact | null {
  const [exact, setExact] = useState<Exact | null>(null);
  useEffect(() => {
    if (!ready) return;
    let wanted = true;
    get<Exact>(`/api/jobs/${job}/equilibrium`)
      .then((found) => wanted && setExact(found))
      .catch((problem: unknown) => wanted && setExact({ value: null, why: messageOf(problem) }));
    return () => {
      wanted = false;
    };
  }, [job, ready]);
  return exact;
}

/** A number that follows another at most every two seconds while `slow`, and at once otherwise. */
function useSlowly(value: number, slow: boolean): number {
  const [shown, setShown] = useState(value);
  const latest = useRef(value);
  latest.current = value;
  useEffect(() => {
    if (!slow) return setShown(value);
    const timer = setInterval(() => setShown(latest.current), 2000);
    return () => clearInterval(timer);
  }, [slow, slow ? 0 : value]);
  return shown;
}
