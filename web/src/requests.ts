// Requests of people who do not wait for the answer: a second click, or another wish meanwhile.
import { useRef, useState } from "preact/hooks";

/** Whether a task runs, and what runs one: none is begun while another runs. */
export function useOneTask(): [boolean, (task: () => Promise<void>) => Promise<void>] {
  const [busy, setBusy] = useState(false);
  const run = async (task: () => Promise<void>) => {
    if (busy) return;
    setBusy(true);
    try {
      await task();
    } finally {
      setBusy(false);
    }
  };
  return [busy, run];
}

/** Call it when a request begins; it returns whether the request is still the newest one. */
export function useNewest(): () => () => boolean {
  const newest = useRef(0);
  return () => {
    const mine = ++newest.current;
    return () => mine === newest.current;
  };
}
