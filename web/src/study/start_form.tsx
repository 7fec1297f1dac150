// A form that starts a job of the server; what the server refuses is shown in one line.
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { post } from "../api";
import { useOneTask } from "../requests";
import { messageOf, type JobSummary } from "./jobs";

export function StartForm(props: {
  path: string;
  /** What is asked for, when the form is sent. */
  asked: () => unknown;
  onStart: (job: JobSummary) => void;
  class?: string;
  label?: string;
  /** Another line to show, such as that the server cannot be reached. */
  problem?: string;
  children: ComponentChildren;
}): JSX.Element {
  const [error, setError] = useState("");
  const [busy, alone] = useOneTask();
  const begin = async () => {
    setError("");
    try {
      props.onStart(await post<JobSummary>(props.path, props.asked()));
    } catch (problem) {
      setError(messageOf(problem));
    }
  };
  return (
    <form
      class={props.class ?? "panel form"}
      noValidate
      aria-label={props.label}
      onSubmit={(event) => {
        event.preventDefault();
        void alone(begin);
      }}
    >
      {props.children}
      {busy && (
        <p class="quiet" role="status">
          Starting…
        </p>
      )}
      {(error || props.problem) && (
        <p class="error" role="alert">
          {error || props.problem}
        </p>
      )}
    </form>
  );
}
