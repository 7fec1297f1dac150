// The search's opinion at the ply that is shown: belief, mix, and what should have been played.
import type { JSX } from "preact";
import { LookDetails, type FogChoice } from "../chess/fog_panel";
import type { ReviewDocument } from "./review_data";
import { AnalysisChart } from "./analysis_chart";
import type { Analysis } from "./analysis";

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
  const played = review.plies[at + 1]?.label;
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
        <AnalysisChart looks={analysis.looks} plies={review.plies.length - 1} at={at} onChoose={props.onStep} />
      )}
      {look && (
        <>
          {played && (
            <p>
              Played: <strong>{played}</strong>. The search plays{" "}
              <strong>
                {look.candidates
                  .filter((one) => one.probability > 0.01)
                  .map((one) => `${one.label} (${Math.round(100 * one.probability)} %)`)
                  .join(", ")}
              </strong>
              .
            </p>
          )}
          <LookDetails look={look} choice={props.choice} onChoice={props.onChoice} />
        </>
      )}
      {analysis && !look && <p class="quiet">Step to a position where {analysis.seat === 0 ? "White" : "Black"} is to move.</p>}
    </section>
  );
}
