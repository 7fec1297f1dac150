// The search's opinion at the ply that is shown: belief, mix, and what should have been played.
import type { JSX } from "preact";
import { LookDetails, type FogChoice } from "../chess/fog_panel";
import type { ChessLook } from "../chess/look";
import type { ReviewDocument } from "./review_data";
import { AnalysisChart } from "./analysis_chart";
import type { Analysis } from "./analysis";
import { signed } from "../values";

export function AnalysisPanel(props: {
  review: ReviewDocument;
  analysis: Analysis | null;
  at: number;
  choice: FogChoice;
  onChoice: (choice: FogChoice) => void;
  onStart: (seat: 0 | 1) => void;
  onStep: (at: number) => void;
}): JSX.Element {
  const { analysis, review, at } = props;
  const look = analysis?.looks.get(at) ?? null;
  const played = review.plies[at + 1];
  return (
    <section class="panel" aria-label="Analysis">
      <div class="row controls" role="group" aria-label="Analyse a side">
        {([0, 1] as const).map((seat) => (
          <button
            type="button"
            class="action"
            key={seat}
            data-testid={`analyse-${seat}`}
            aria-pressed={analysis?.seat === seat}
            onClick={() => props.onStart(seat)}
          >
            Analyse {seat === 0 ? "White" : "Black"}
          </button>
        ))}
        {analysis?.running && <span class="quiet">{analysis.looks.size} decisions searched…</span>}
      </div>
      {analysis?.error && (
        <p class="error" role="alert">
          {analysis.error}
        </p>
      )}
      {analysis && analysis.looks.size > 0 && (
        <AnalysisChart
          looks={analysis.looks}
          surprises={analysis.surprises}
          plies={review.plies.length - 1}
          at={at}
          onChoose={props.onStep}
        />
      )}
      {look && (
        <>
          {played && <Advice look={look} action={played.action ?? ""} label={played.label} />}
          <LookDetails look={look} choice={props.choice} onChoice={props.onChoice} />
        </>
      )}
      {analysis && !look && <p class="quiet">The advice on a move of {analysis.seat === 0 ? "White" : "Black"} stands at the position before it: go one step back.</p>}
    </section>
  );
}

/** What was played, what should have been, and what the difference is worth. */
function Advice(props: { look: ChessLook; action: string; label: string }): JSX.Element {
  const { look } = props;
  const mix = look.candidates.filter((one) => one.probability > 0.01).sort((a, b) => b.probability - a.probability);
  const mine = look.candidates.find((one) => one.action === props.action);
  const cost = mine ? look.value - mine.value : 0;
  const verdict =
    mine && mine.probability > 0.01
      ? "That is one of the search's own moves."
      : cost > 0.02
        ? `It gives up ${cost.toFixed(2)}: value ${signed(mine?.value ?? 0)} instead of ${signed(look.value)}.`
        : "It is worth about as much.";
  return (
    <p data-testid="advice">
      Played: <strong>{props.label}</strong>. What should have been played:{" "}
      <strong>{mix.map((one) => `${one.label} (${Math.round(100 * one.probability)} %)`).join(", ")}</strong>. {verdict}
    </p>
  );
}
