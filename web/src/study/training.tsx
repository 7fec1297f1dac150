// Training runs: start one, watch its curves, stop it and go on with it; runs of the command line too.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useCommand } from "../command";
import { pageOf, useGames } from "../games";
import { FIRST_SOLVED } from "../first_games";
import { Link } from "../router";
import { GameChoice } from "./game_choice";
import { JobControls, JobError } from "./job_controls";
import { useJob, type JobSummary } from "./jobs";
import { duration } from "./numbers";
import { StartForm } from "./start_form";
import { RunCurves, RunTable, useRuns, type Run } from "./runs";

const WIDTHS = ["32", "64", "128", "256"];

export function Training(props: { onArena: (contest: Contest) => void }): JSX.Element {
  const [job, setJob] = useState("");
  const [chosen, setChosen] = useState("");
  const { folder, runs, error } = useRuns(job);
  const command = useCommand();
  const active = job || (runs?.find((one) => one.job !== null)?.job ?? "");
  const run = runs?.find((one) => one.name === chosen) ?? runs?.[0];
  const show = (started: JobSummary, name = "") => {
    setChosen(name);
    setJob(started.id);
  };
  return (
    <section class="panel" aria-label="Training and saved runs">
      <h2>Train networks</h2>
      <p class="quiet">
        Deep CFR learns to play a game by walking through it at random and fitting networks to the regrets it meets. More walks
        make each iteration better and slower, larger networks remember more. The curves below follow every run of the folder, also
        those that were started on the command line.
      </p>
      {folder !== null && (
        <p class="quiet" data-testid="runs-folder">
          Runs are saved in <code>{folder}</code> on the machine of this server.
        </p>
      )}
      {folder !== null && <NewTraining onStart={show} />}
      {active !== "" && <TrainingJob id={active} key={active} />}
      {error && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      {runs !== null && folder === null && (
        <p class="quiet">
          This server keeps no runs: start it with <code>{command} serve --runs FOLDER</code>.
        </p>
      )}
      {folder !== null && runs?.length === 0 && <p class="quiet">There is no run in this folder yet.</p>}
      {runs !== null && runs.length > 0 && run !== undefined && (
        <>
          <h2>Runs of solvers and training</h2>
          <RunTable runs={runs} chosen={run.name} onChoose={setChosen} />
          <RunCurves run={run} key={run.name} />
          <UseRun run={run} onArena={props.onArena} />
          {run.kind === "training" && <GoOn run={run} onStart={show} />}
        </>
      )}
    </section>
  );
}

type OnStart = (job: JobSummary, run?: string) => void;

function NewTraining(props: { onStart: OnStart }): JSX.Element {
  const { games, error: unreachable } = useGames();
  const [game, setGame] = useState(FIRST_SOLVED);
  const [minutes, setMinutes] = useState("2");
  const [walks, setWalks] = useState("500");
  const [width, setWidth] = useState("64");
  const asked = () => ({ game, minutes: Number(minutes), walks: Number(walks), width: Number(width) });
  return (
    <StartForm path="/api/training" asked={asked} onStart={props.onStart} class="form" label="New training run" problem={unreachable}>
      <div class="row">
        <GameChoice games={games} first={FIRST_SOLVED} onChange={setGame} />
        <label>
          Minutes
          <input type="number" min={0.05} max={240} step="any" value={minutes} onInput={(event) => setMinutes(event.currentTarget.value)} />
        </label>
        <label>
          Walks per iteration
          <input type="number" min={10} max={100_000} value={walks} onInput={(event) => setWalks(event.currentTarget.value)} />
        </label>
        <label>
          Network: two layers of
          <select value={width} onChange={(event) => setWidth(event.currentTarget.value)}>
            {WIDTHS.map((one) => (
              <option key={one} value={one}>
                {one} units
              </option>
            ))}
          </select>
        </label>
        <button type="submit" class="action primary" data-testid="start-training">
          Train
        </button>
      </div>
    </StartForm>
  );
}

function TrainingJob(props: { id: string }): JSX.Element {
  const job = useJob(props.id);
  const { summary, events } = job;
  const [refused, setRefused] = useState("");
  const result = events.filter((event) => event.type === "result" || event.type === "resumed").at(-1);
  const seconds = result?.["seconds"] as number | undefined;
  return (
    <div class="job" data-testid="training">
      <div class="row spread">
        <p role="status">
          <b>{summary?.title}</b>{" "}
          <span class={`tag is-${summary?.status ?? ""}`}>{summary?.status ?? (job.gone ? "gone" : "loading")}</span> {summary?.note}
          {job.gone && <span data-testid="gone">The server was started again; the run was saved. Go on with it below.</span>}
          {seconds !== undefined && `${(result!["iterations"] as number).toLocaleString("en")} iterations in ${duration(seconds)}`}
        </p>
        <JobControls job={job} onError={setRefused} />
      </div>
      {summary?.status === "stopped" && summary.resumable && (
        <p class="quiet">Resume trains for the rest of the minutes that were asked for; “Go on” below adds minutes to a run.</p>
      )}
      <JobError job={job} refused={refused} />
    </div>
  );
}

/** A game and the agents that are to play it. */
export type Contest = { game: string; agents: string[] };

/** What can be done with what a run has learnt. */
function UseRun({ run, onArena }: { run: Run; onArena: (contest: Contest) => void }): JSX.Element | null {
  const { agent } = run;
  if (agent === null) return null;
  const game = run.game.split("(")[0]!;
  const against = new URLSearchParams({ game: run.game, against: agent });
  const title = `${run.kind === "training" ? "Network" : "Strategy"} ${run.name}`;
  return (
    <div class="row controls" data-testid="use-run">
      <Link to={`${pageOf(game)}?${against}`} class="button">
        Play against it
      </Link>
      <button type="button" class="action" onClick={() => onArena({ game: run.game, agents: [agent] })}>
        Let it play in the arena
      </button>
      <span class="quiet">
        In lists of agents it is called <b>{title}</b>; on the command line{" "}
        <code>{agent.replace(":", ":FOLDER/")}</code>.
      </span>
    </div>
  );
}

function GoOn(props: { run: Run; onStart: OnStart }): JSX.Element | null {
  const [minutes, setMinutes] = useState("2");
  const { run } = props;
  if (run.running || run.job !== null) return null;
  const asked = () => ({ resume: run.name, minutes: Number(minutes) });
  return (
    <StartForm path="/api/training" asked={asked} onStart={(job) => props.onStart(job, run.name)} class="row" label={`Go on with ${run.name}`}>
      <label>
        Go on with {run.name} for minutes
        <input type="number" min={0.05} max={240} step="any" value={minutes} onInput={(event) => setMinutes(event.currentTarget.value)} />
      </label>
      <button type="submit" class="action" data-testid="go-on">
        Go on
      </button>
    </StartForm>
  );
}
