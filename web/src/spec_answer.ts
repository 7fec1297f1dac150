// What the server says about a game with the parameters that a form has now.
import { useEffect, useState } from "preact/hooks";
import { get } from "./api";

const PATIENCE = 150; // milliseconds without a change of parameters before the server is asked

/** The last answer: the spec that it is for, and the answer or what is wrong with the spec. */
export type SpecAnswer<T> = { spec: string; answer: T | null; error: string };

/** The server's last answer about a game's spec; null before the first one. No spec: nothing is asked. */
export function useSpecAnswer<T>(path: string, spec: string | null): SpecAnswer<T> | null {
  const [found, setFound] = useState<SpecAnswer<T> | null>(null);
  useEffect(() => {
    if (spec === null) return;
    let wanted = true;
    const timer = setTimeout(() => {
      get<T>(`${path}?${new URLSearchParams({ game: spec })}`).then(
        (answer) => wanted && setFound({ spec, answer, error: "" }),
        (problem: Error) => wanted && setFound({ spec, answer: null, error: problem.message }),
      );
    }, PATIENCE);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [path, spec]);
  return found;
}
