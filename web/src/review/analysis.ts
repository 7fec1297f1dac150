// What a search could have known and played at every decision of a finished game.
import { useEffect, useState } from "preact/hooks";
import { get, post } from "../api";
import { readLook, type ChessLook } from "../chess/look";

type JobAnswer = { state?: string; new: { type: string; ply?: number; [field: string]: unknown }[] };

/** A moment at which the truth surprised the side that is analysed. */
export type Surprise = { ply: number; kind: "loss" | "value" | "hidden"; text: string };

export type Analysis = {
  seat: 0 | 1;
  looks: Map<number, ChessLook>;
  surprises: Surprise[];
  running: boolean;
  error: string;
};

/** Runs one analysis at a time; ``start`` asks for the decisions of a side. */
export function useAnalysis(id: string, key: string): { analysis: Analysis | null; start: (seat: 0 | 1) => void } {
  const [analysis, setAnalysis] = useState<Analysis | null>(null);
  const [wanted, setWanted] = useState<0 | 1 | null>(null);
  useEffect(() => {
    if (wanted === null) return;
    let stopped = false;
    let job = "";
    const looks = new Map<number, ChessLook>();
    const surprises: Surprise[] = [];
    const show = (running: boolean, error = "") =>
      stopped || setAnalysis({ seat: wanted, looks: new Map(looks), surprises: [...surprises], running, error });
    const run = async () => {
      show(true);
      job = (await post<{ id: string }>(`/api/games/${id}/analysis`, { seat: wanted, seconds: 1 }, key)).id;
      let seen = 0;
      while (!stopped) {
        const answer = await get<JobAnswer>(`/api/jobs/${job}?since=${seen}`);
        seen += answer.new.length;
        for (const event of answer.new) {
          const look = event.type === "look" ? readLook(event) : null;
          if (look !== null && event.ply !== undefined) looks.set(event.ply, look);
          if (event.type === "surprise") surprises.push(event as unknown as Surprise);
        }
        const ended = answer.new.some((event) => event.type === "ended");
        const failed = answer.new.find((event) => event.type === "failed");
        show(!ended, failed ? String(failed.why) : "");
        if (ended) return;
      }
    };
    run().catch((problem: Error) => show(false, problem.message));
    return () => {
      stopped = true;
      if (job) void post(`/api/jobs/${job}/stop`).catch(() => {});
    };
  }, [id, key, wanted]);
  return { analysis, start: setWanted };
}
