// Long work of the server, followed from the browser by its events.
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { ApiError, get, GONE, UNREACHABLE } from "../api";

export type JobStatus = "running" | "paused" | "stopping" | "stopped" | "done" | "failed";
export type JobSummary = {
  id: string;
  kind: string;
  title: string;
  status: JobStatus;
  /** What it does at this moment. */
  note: string;
  /** When it was started, in seconds since 1970. */
  created: number;
  pausable: boolean;
  resumable: boolean;
  events: number;
};
export type JobEvent = { n: number; type: string } & Record<string, unknown>;
/** `gone`: the server does not have the job, such as after it was started again. */
type Found = { summary: JobSummary | null; events: JobEvent[]; error: string; gone?: boolean };
/** `again` follows a job that has ended and was resumed. */
export type FollowedJob = Found & { again: () => void };

const watchers = new Set<() => void>();

/** Call `look` whenever a job that is followed on this page changes, so that all parts of the page tell the same. */
export function useJobChanges(look: () => void): void {
  useEffect(() => {
    watchers.add(look);
    return () => void watchers.delete(look);
  });
}

const pause = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds));

/** A job with all its events so far; follows it until it has ended. */
export function useJob(id: string): FollowedJob {
  const [found, setFound] = useState<Found>({ summary: null, events: [], error: "" });
  const [round, setRound] = useState(0);
  useEffect(() => {
    let wanted = true;
    const follow = async () => {
      let shown = "";
      let events = round > 0 ? found.events : [];
      setFound((before) => (round > 0 ? { ...before, error: "" } : { summary: null, events, error: "" }));
      while (wanted && id !== "") {
        try {
          const { new: more, ...summary } = await get<JobSummary & { new: JobEvent[] }>(
            `/api/jobs/${id}?since=${events.length}`,
          );
          if (!wanted) return;
          if (more.length > 0) events = [...events, ...more];
          setFound({ summary, events, error: "" });
          if (shown !== `${summary.status} ${summary.note}`) watchers.forEach((look) => look());
          shown = `${summary.status} ${summary.note}`;
          if (events.at(-1)?.type === "ended") return;
          await pause(100);
        } catch (problem) {
          if (!wanted) return;
          const status = problem instanceof ApiError ? problem.status : UNREACHABLE;
          const gone = status === GONE; // the server was started again, for instance
          setFound((before) => ({
            ...before,
            summary: gone && before.summary ? { ...before.summary, status: "stopped", note: "", resumable: false } : before.summary,
            error: gone ? "" : messageOf(problem),
            gone,
          }));
          if (status >= 400 && status < 500) return;
          await pause(1500);
        }
      }
    };
    void follow();
    return () => {
      wanted = false;
    };
  }, [id, round]);
  return { ...found, again: () => setRound((now) => now + 1) };
}

export function isLive(job: JobSummary | null): job is JobSummary {
  return job !== null && ["running", "paused", "stopping"].includes(job.status);
}

export function messageOf(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem);
}

/** The value of a parameter of the address, as in /lab?job=… */
export function queryValue(name: string): string {
  return new URLSearchParams(location.search).get(name) ?? "";
}

/** Put choices into the address, so that it can be opened again. */
export function keepQuery(values: Record<string, string>): void {
  history.replaceState(null, "", withQuery(values));
}

/** Put choices into the address as a step of its own, from which Back leads to the choices before. */
export function visitQuery(values: Record<string, string>): void {
  const next = withQuery(values);
  if (next === location.pathname + location.search) return;
  history.pushState(null, "", next);
  dispatchEvent(new PopStateEvent("popstate"));
}

function withQuery(values: Record<string, string>): string {
  const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== ""));
  return `${location.pathname}${query.size > 0 ? `?${query}` : ""}`;
}

/** The parameters of the address, which follow Back and Forward while the page stays the same. */
export function useQuery(): URLSearchParams {
  const [found, setFound] = useState(() => ({ path: location.pathname, query: location.search }));
  useLayoutEffect(() => {
    const follow = () => {
      if (location.pathname === found.path) setFound({ path: found.path, query: location.search });
    };
    addEventListener("popstate", follow);
    return () => removeEventListener("popstate", follow);
  }, []);
  return new URLSearchParams(found.query);
}
