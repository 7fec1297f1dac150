// What a search could have known and played at every decision of a finished game.
import { useEffect, useState } from "preact/hooks";
import { get, post } from "../api";
import { readLook, type ChessLook } from "./look";

type AnalysisEvent = { type: string; ply?: number; [field: string]: unknown };

/** Of the search at each decision. */
const SECONDS = 1;

/** A moment at which the truth surprised the side that is analysed. */
export type Surprise = { ply: number; kind: "loss" | "value" | "hidden"; text: string };

export type Analysis = {
  seat: 0 | 1;
  looks: Map<number, ChessLook>;
  surprises: Surprise[];
  running: boolean;
  error: string;
};

/** Shows one analysis at a time; ``start`` asks for the decisions of a side. One that the server has kept, or
 * still works on, is shown at once: that of our own side first. Whoever leaves the page does not stop it. */
export function useAnalysis(
  id: string,
  key: string,
  own: number,
): { analysis: Analysis | null; start: (seat: 0 | 1) => void } {
  const [analysis, setAnalysis] = useState<Analysis | null>(null);
  const [wanted, setWanted] = useState<0 | 1 | null>(null);
  useEffect(() => {
    let asked = true;
    get<{ seats: (0 | 1)[] }>(`/api/games/${id}/analysis`, key).then(
      ({ seats }) => {
        const kept = seats.find((seat) => seat === own) ?? seats[0];
        if (asked && kept !== undefined) setWanted((before) => before ?? kept);
      },
      () => undefined, // without it the buttons are there
    );
    return () => {
      asked = false;
    };
  }, [id, key]);
  useEffect(() => {
    if (wanted === null) return;
    let stopped = false;
    const looks = new Map<number, ChessLook>();
    const surprises: Surprise[] = [];
    const show = (running: boolean, error = "") =>
      stopped || setAnalysis({ seat: wanted, looks: new Map(looks), surprises: [...surprises], running, error });
    const read = (event: AnalysisEvent) => {
      const look = event.type === "look" ? readLook(event) : null;
      if (look !== null && event.ply !== undefined) looks.set(event.ply, look);
      if (event.type === "surprise") surprises.push(event as unknown as Surprise);
    };
    const run = async () => {
      show(true);
      const begun = await post<{ id: string } | { events: AnalysisEvent[] }>(
        `/api/games/${id}/analysis`,
        { seat: wanted, seconds: SECONDS },
        key,
      );
      if (!("id" in begun)) {
        begun.events.forEach(read);
        return show(false);
      }
      let seen = 0;
      while (!stopped) {
        const answer = await get<{ new: AnalysisEvent[] }>(`/api/jobs/${begun.id}?since=${seen}`);
        seen += answer.new.length;
        answer.new.forEach(read);
        const ended = answer.new.some((event) => event.type === "ended");
        const failed = answer.new.find((event) => event.type === "failed");
        show(!ended, failed ? String(failed.why) : "");
        if (ended) return;
      }
    };
    run().catch((problem: Error) => show(false, problem.message));
    return () => {
      stopped = true;
    };
  }, [id, key, wanted]);
  return { analysis, start: setWanted };
}
