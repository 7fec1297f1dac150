// Pause, resume and stop a job.
import type { JSX } from "preact";
import { post } from "../api";
import { useOneTask } from "../requests";
import { isLive, messageOf, type FollowedJob } from "./jobs";

/** The buttons of a job; `onError` gets one line if the server refuses, and an empty one before. */
export function JobControls(props: { job: FollowedJob; onError: (line: string) => void }): JSX.Element | null {
  const { summary, again } = props.job;
  const [busy, alone] = useOneTask();
  if (summary === null) return null;
  const order = async (name: string) => {
    props.onError("");
    try {
      await post(`/api/jobs/${summary.id}/${name}`);
      if (!isLive(summary)) again();
    } catch (problem) {
      props.onError(messageOf(problem));
    }
  };
  const button = (name: string, label: string) => (
    <button type="button" class="action" disabled={busy} onClick={() => void alone(() => order(name))}>
      {label}
    </button>
  );
  const stopped = summary.status === "stopped" && summary.resumable;
  return (
    <div class="row" role="group" aria-label="Controls">
      {(summary.status === "paused" || stopped) && button("resume", "Resume")}
      {summary.status === "running" && summary.pausable && button("pause", "Pause")}
      {isLive(summary) && summary.status !== "stopping" && button("stop", "Stop")}
    </div>
  );
}

/** What went wrong with a job, in one line: an error, or why a finished one will not be kept. */
export function JobError(props: { job: FollowedJob; refused: string }): JSX.Element | null {
  const why = (type: string) => String(props.job.events.filter((event) => event.type === type).at(-1)?.["why"] ?? "");
  const line = props.job.error || props.refused || (props.job.summary?.status === "failed" ? why("failed") : why("unkept"));
  if (line === "") return null;
  return (
    <p class="error" role="alert">
      {line}
    </p>
  );
}
