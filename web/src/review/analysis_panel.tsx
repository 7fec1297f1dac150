// The search's opinion at the ply that is shown: belief, mix, and a verdict on the move that was played.
import type { JSX } from "preact";
import { LookDetails, type FogChoice } from "../chess/fog_panel";
import type { ChessLook } from "../chess/look";
import type { ReviewDocument } from "./review_data";
import { AnalysisChart } from "./analysis_chart";
import type { Analysis } from "./analysis";
import { lossOf, playedBy } from "./marks";
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
  const side = (seat: number | null) => (seat === 0 ? "White" : "Black");
  const whose = (seat: 0 | 1) => (seat === props.own ? "my" : `${side(seat)}'s`);
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
      {look && played && (
        <Verdict
          look={look}
          action={played.action}
          label={played.label}
          before={after ? "Played:" : `Next, ${side(played.seat)} played`}
        />
      )}
      {analysis && analysis.looks.size > 0 && (
        <AnalysisChart
          looks={analysis.looks}
          surprises={analysis.surprises}
          review={review}
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
function Verdict(props: { look: ChessLook; action: string | null; label: string; before: string }): JSX.Element {
  const { look } = props;
  const mix = playedBy(look);
  const words = mix.slice(0, SHOWN).map((one) => `${one.label} (${percent(one.probability)})`);
  const loss = lossOf(look, props.action);
  const verdict =
    loss === null
      ? "It did not value the move that was played."
      : mix.some((one) => one.action === props.action)
        ? "The search plays this move too."
        : loss > 0.02
          ? `By its estimate ${props.label} is ${loss.toFixed(2)} worse: ${signed(look.value - loss)} instead of ${signed(look.value)}.`
          : `By its estimate ${props.label} is about as good.`;
  return (
    <p data-testid="advice">
      {props.before} <strong>{props.label}</strong>. The search would have played <strong>{words.join(", ")}</strong>
      {mix.length > SHOWN && ` or one of ${mix.length - SHOWN} others`}. {verdict}
    </p>
  );
}
