// The arena: matches between agents, what the server is busy with, and the curves of saved runs.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { get, post } from "../api";
import { FIRST_MATCH } from "../first_games";
import { firstContestants, markedName, titleOfAgent, useAgents } from "../agents";
import { useGames, type GameInfo } from "../games";
import { keptAnalyses, keptKeys } from "../keys";
import { Meanings } from "../meanings";
import { Link } from "../router";
import { GameChoice } from "../study/game_choice";
import { isLive, messageOf, useJobChanges, useQuery, visitQuery, type JobSummary } from "../study/jobs";
import { MatchJob, pairOf } from "../study/match";
import { StartForm } from "../study/start_form";
import { Training, type Contest } from "../study/training";
import { ago, upper } from "../values";
import "../styles/study.css";

export function ArenaPage(): JSX.Element {
  const query = useQuery();
  const job = query.get("job") ?? "";
  const [contest, setContest] = useState<Contest | null>(null);
  const show = (id: string) => visitQuery({ job: id });
  return (
    <>
      <h1>Arena</h1>
      <p class="quiet">Let agents play against each other: every deal is played once from each seat, so luck counts less.</p>
      <NewMatch onStart={show} first={contest} key={contest ? JSON.stringify(contest) : ""} />
      {job !== "" && <MatchJob id={job} pair={pairOf(query)} key={job} />}
      <Training
        onArena={(found) => {
          setContest(found);
          scrollTo(0, 0);
        }}
      />
      <JobList shown={job} onShow={show} />
    </>
  );
}

const KEPT = "fogtree.arena";

/** The game and the agents that were chosen before, in this tab of the browser. */
function keptChoice(): { spec: string; picked: string[] | null } | null {
  const kept = sessionStorage.getItem(KEPT);
  return kept === null ? null : (JSON.parse(kept) as { spec: string; picked: string[] | null });
}

function NewMatch(props: { onStart: (id: string) => void; first: Contest | null }): JSX.Element {
  const { games, error: unreachable } = useGames();
  const [kept] = useState(() => (props.first ? null : keptChoice()));
  const [spec, setSpec] = useState(props.first?.game ?? kept?.spec ?? FIRST_MATCH);
  const [info, setInfo] = useState<GameInfo | null>(null);
  const [picked, setChosen] = useState<string[] | null>(kept?.picked ?? null);
  useEffect(() => sessionStorage.setItem(KEPT, JSON.stringify({ spec, picked })), [spec, picked]);
  const [more, setMore] = useState("");
  const [count, setCount] = useState("100");
  const [seconds, setSeconds] = useState("0.1");
  const game = info ?? games.find((one) => one.name === spec.split("(")[0]);
  const { agents: offered, error: unfit } = useAgents(game, spec);
  const names = offered?.agents ?? [];
  const chosen = picked ?? [...new Set([...(props.first?.agents ?? []), ...(offered ? firstContestants(offered) : [])])];
  const agents = [...names.filter((name) => chosen.includes(name)), ...more.split(";").map((name) => name.trim()).filter(Boolean)];
  const asked = () => ({ game: spec, agents, games: Number(count), seconds: Number(seconds) });
  return (
    <StartForm path="/api/match" asked={asked} onStart={(job) => props.onStart(job.id)} problem={unreachable || unfit}>
      <div class="row">
        <GameChoice
          games={games}
          first={spec}
          onChange={(text, found) => {
            setSpec(text);
            if (found.name !== game?.name) setChosen(null);
            setInfo(found);
          }}
        />
        <label>
          Games per pair
          <input type="number" min={1} max={100_000} value={count} onInput={(event) => setCount(event.currentTarget.value)} />
        </label>
        <label>
          Seconds per move (only for Search)
          <input type="number" min={0.01} max={60} step="any" value={seconds} onInput={(event) => setSeconds(event.currentTarget.value)} />
        </label>
        <button type="submit" class="action primary" disabled={agents.length < 2} data-testid="start-match">
          Play
        </button>
      </div>
      {agents.length < 2 && <p class="quiet">Choose at least two agents.</p>}
      <fieldset class="checks">
        <legend>Agents: two for a match, more for a tournament</legend>
        {names.map((name) => (
          <label class="check" key={name}>
            <input
              type="checkbox"
              checked={chosen.includes(name)}
              onChange={(event) => setChosen(event.currentTarget.checked ? [...chosen, name] : chosen.filter((one) => one !== name))}
            />
            {offered && markedName(offered, name)}
          </label>
        ))}
      </fieldset>
      <Meanings title="What do these agents do?" terms={names.map((one) => [`${titleOfAgent(offered!, one)} (${one})`, offered!.agent_summaries[one] ?? ""])} />
      <label class="wide">
        More agents, with settings, separated by semicolons
        <input value={more} placeholder="search(steps=100); search(steps=1000)" onInput={(event) => setMore(event.currentTarget.value)} />
      </label>
    </StartForm>
  );
}

/** `game`: the finished game that was analysed; null for a single position. */
type OwnAnalysis = { title: string; game: string | null };

/** Those analyses that this browser may know, by the identifiers of the list; the server checks its keys. Null before it answers. */
function useOwnAnalyses(jobs: readonly JobSummary[]): Record<string, OwnAnalysis> | null {
  const [own, setOwn] = useState<Record<string, OwnAnalysis> | null>(null);
  const asked = useRef(new Set<string>());
  useEffect(() => {
    const fresh = jobs.filter((job) => job.kind === "analysis" && !asked.current.has(job.id)).map((job) => job.id);
    if (fresh.length === 0) return;
    fresh.forEach((id) => asked.current.add(id));
    post<{ analyses: Record<string, OwnAnalysis> }>("/api/own-analyses", { keys: keptKeys(), jobs: keptAnalyses() }).then(
      (found) => setOwn(found.analyses),
      () => fresh.forEach((id) => asked.current.delete(id)), // with the next look at the list
    );
  }, [jobs]); // another list after every look at it
  return own;
}

function JobList(props: { shown: string; onShow: (id: string) => void }): JSX.Element {
  const [jobs, setJobs] = useState<JobSummary[]>([]);
  const [error, setError] = useState("");
  const own = useOwnAnalyses(jobs);
  const look = () =>
    get<{ jobs: JobSummary[] }>("/api/jobs").then(
      (found) => {
        setJobs(found.jobs);
        setError("");
      },
      (problem: unknown) => setError(messageOf(problem)),
    );
  useEffect(() => {
    void look();
    const timer = setInterval(() => void look(), 2000);
    return () => clearInterval(timer);
  }, [props.shown]);
  useJobChanges(() => void look());
  const stop = (id: string) => post(`/api/jobs/${id}/stop`).then(look, (problem: unknown) => setError(messageOf(problem)));
  return (
    <section class="panel" aria-label="Jobs">
      <h2>Recent work of this server</h2>
      {jobs.length === 0 && <p class="quiet">Nothing yet. Solves of the lab, matches and training runs appear here.</p>}
      {error && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      <ul class="jobs">
        {jobs.map((job) => (
          <li key={job.id}>
            <span class={`tag is-${job.status}`}>{job.status}</span>{" "}
            {job.kind === "lab" && <Link to={`/lab?job=${job.id}`}>Solve {job.title}</Link>}
            {job.kind === "match" && (
              <button type="button" class="step plain" onClick={() => props.onShow(job.id)}>
                Match {job.title}
              </button>
            )}
            {job.kind === "analysis" && (own === null ? "Analysis" : <Analysis own={own[job.id]} />)}
            {!["lab", "match", "analysis"].includes(job.kind) && `${upper(job.kind)} ${job.title}`}
            {job.kind === "analysis" && <span class="quiet">, started {ago(job.created)}</span>}{" "}
            {job.note && <span class="quiet">{job.note}</span>}{" "}
            {isLive(job) && job.status !== "stopping" && (
              <button type="button" class="action" onClick={() => void stop(job.id)} aria-label={`Stop ${own?.[job.id]?.title ?? (job.title || "this analysis")}`}>
                Stop
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What was analysed, for whoever may know it. */
function Analysis({ own }: { own: OwnAnalysis | undefined }): JSX.Element {
  if (own === undefined) return <>Analysis of somebody else</>;
  return own.game === null ? <>Analysis of {own.title}</> : <Link to={`/game/${own.game}`}>Analysis of {own.title}</Link>;
}
