// The search's opinion at the ply that is shown: belief, mix, and a verdict on the move that was played.
import type { JSX } from "preact";
import { LookDetails, type FogChoice } from "../chess/fog_panel";
import type { ChessLook } from "../chess/look";
import type { ReviewDocument } from "./review_data";
import { AnalysisChart } from "./analysis_chart";
import type { Analysis } from "./analysis";
import { percent, signed } from "../values";

export function AnalysisPanel(props: {
  review: ReviewDocument;
  /** Our own seat, or SPECTATOR. */
  own: number;
  analysis: Analysis | null;
  at: number;
  choice: FogChoice;
  onChoice: (choice: FogChoice) => void;
  onStart: (seat: 0 | 1) => void;
  onStep: (at: number) => void;
}): JSX.Element {
  const { analysis, review, at } = props;
  // After a move of the side that is analysed the verdict is on that move, else on the one that follows.
  const after = analysis !== null && review.plies[at]?.seat === analysis.seat;
  const before = after ? at - 1 : at;
  const look = analysis?.looks.get(before) ?? null;
  const played = review.plies[before + 1];
  const whose = (seat: 0 | 1) => (seat === props.own ? "my" : `${seat === 0 ? "White" : "Black"}'s`);
  return (
    <section class="panel" aria-label="Analysis">
      <h3>Analysis</h3>
      {analysis === null && (
        <p class="quiet">
          A search looks at each decision with what that side had seen then, one second each. You get a graph of the value,
          what could be believed at each move, and a verdict on each move.
        </p>
      )}
      <div class="row controls" role="group" aria-label="Analyse a side">
        {([0, 1] as const).map((seat) => (
          <button
            type="button"
            class={analysis === null && seat === props.own ? "action primary" : "action"}
            key={seat}
            data-testid={`analyse-${seat}`}
            aria-pressed={analysis?.seat === seat}
            onClick={() => props.onStart(seat)}
          >
            Analyse {whose(seat)} moves
          </button>
        ))}
        {analysis?.running && <span class="quiet">{analysis.looks.size} decisions searched…</span>}
      </div>
      {analysis?.error && (
        <p class="error" role="alert">
          {analysis.error}
        </p>
      )}
      {look && played && <Verdict look={look} action={played.action ?? ""} label={played.label} />}
      {analysis && analysis.looks.size > 0 && (
        <AnalysisChart
          looks={analysis.looks}
          surprises={analysis.surprises}
          plies={review.plies.length - 1}
          at={at}
          onChoose={props.onStep}
        />
      )}
      {look && !after && <LookDetails look={look} choice={props.choice} onChoice={props.onChoice} />}
      {look && after && (
        <p class="quiet">
          <button type="button" class="action" onClick={() => props.onStep(before)}>
            Before this move
          </button>{" "}
          shows what could be believed, and the other moves.
        </p>
      )}
    </section>
  );
}

const SHOWN = 4;

/** What was played, what the search would have played, and what the difference is worth. */
function Verdict(props: { look: ChessLook; action: string; label: string }): JSX.Element {
  const { look } = props;
  const mix = look.candidates.filter((one) => one.probability > 0.01).sort((a, b) => b.probability - a.probability);
  const words = mix.slice(0, SHOWN).map((one) => `${one.label} (${percent(one.probability)})`);
  const mine = look.candidates.find((one) => one.action === props.action);
  const cost = mine ? look.value - mine.value : 0;
  const verdict =
    mine === undefined
      ? "It did not value the move that was played."
      : mine.probability > 0.01
        ? "So it is one of the search's own moves."
        : cost > 0.02
          ? `By its estimate ${props.label} is ${cost.toFixed(2)} worse: ${signed(mine.value)} instead of ${signed(look.value)}.`
          : `By its estimate ${props.label} is about as good.`;
  return (
    <p data-testid="advice">
      Played: <strong>{props.label}</strong>. The search would have played <strong>{words.join(", ")}</strong>
      {mix.length > SHOWN && ` or one of ${mix.length - SHOWN} others`}. {verdict}
    </p>
  );
}
