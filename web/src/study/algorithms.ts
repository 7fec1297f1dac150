// The algorithms that the server offers, each with a sentence on what it does.
import { useEffect, useState } from "preact/hooks";
import { get } from "../api";
import { messageOf } from "./jobs";

export type Algorithm = { name: string; summary: string };

export function useAlgorithms(): { algorithms: Algorithm[]; error: string } {
  const [algorithms, setAlgorithms] = useState<Algorithm[]>([]);
  const [error, setError] = useState("");
  useEffect(() => {
    get<{ algorithms: Algorithm[] }>("/api/algorithms").then(
      (found) => setAlgorithms(found.algorithms),
      (problem: unknown) => setError(messageOf(problem)),
    );
  }, []);
  return { algorithms, error };
}
