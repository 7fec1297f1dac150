// The search's opinion at the ply that is shown: belief, mix, and a verdict on the move that was played.
import type { JSX } from "preact";
import { LookDetails, type FogChoice } from "./fog_panel";
import { moveName, type From, type ReviewDocument } from "../review/review_data";
import { AnalysisChart } from "./analysis_chart";
import type { Analysis } from "./analysis";
import { playedBy } from "./look";
import { verdictOn, type Verdict } from "./marks";
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
  /** What the board shows. */
  from: From;
  onFrom: (from: From) => void;
}): JSX.Element {
  const { analysis, review, at } = props;
  // After a move of the side that is analysed the verdict is on that move, else on the one that follows.
  const after = analysis !== null && review.plies[at]?.seat === analysis.seat;
  const before = after ? at - 1 : at;
  const look = analysis?.looks.get(before) ?? null;
  const played = review.plies[before + 1];
  const verdict = verdictOn(analysis, review, before);
  const decisions = review.plies.filter((one) => one.seat === analysis?.seat).length;
  const side = (seat: number | null) => (seat === 0 ? "White" : "Black");
  const whose = (seat: 0 | 1) => (seat === props.own ? "my" : `${side(seat)}'s`);
  return (
    <section class="panel" aria-label="Analysis">
      <h3>Analysis</h3>
      {analysis === null && (
        <p class="quiet">
          A search looks at each decision with what that side had seen then, one or two seconds each. You get a graph of the value,
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
        {analysis?.running && <span class="quiet">{analysis.looks.size} of {decisions} decisions searched…</span>}
      </div>
      {analysis?.error && (
        <p class="error" role="alert">
          {analysis.error}
        </p>
      )}
      {analysis && analysis.looks.size > 0 && analysis.looks.size >= decisions && (
        <p class="quiet" data-testid="verdicts">
          {badMoves(analysis, review)} Step through the moves for a word on each.
        </p>
      )}
      {verdict && played?.action && (
        <VerdictText
          verdict={verdict}
          action={played.action}
          label={played.label}
          before={after ? "Played:" : `Next, ${side(played.seat)} played`}
        />
      )}
      {analysis && analysis.looks.size > 0 && (
        <AnalysisChart
          analysis={analysis}
          review={review}
          at={at}
          onChoose={props.onStep}
        />
      )}
      {look && !after && props.from !== analysis?.seat && (
        <p class="quiet" data-testid="belief-elsewhere">
          <button type="button" class="action" onClick={() => props.onFrom(analysis!.seat)}>
            Show what {side(analysis!.seat)} saw
          </button>{" "}
          draws on the board what could be believed.
        </p>
      )}
      {look && !after && (
        <LookDetails
          look={look}
          choice={props.choice}
          onChoice={props.onChoice}
          played={{ action: played?.action ?? null, by: "played" }}
        />
      )}
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

/** How many moves of the analysed side have a sign, and how many the search cannot judge. */
function badMoves(analysis: Analysis, review: ReviewDocument): string {
  const verdicts = [...analysis.looks.keys()].flatMap((at) => {
    const found = verdictOn(analysis, review, at);
    return found === null ? [] : [{ ...found, move: moveName(review, at + 1) }];
  });
  const bad = verdicts.filter((one) => one.sign !== "").length;
  const unjudged = verdicts.filter((one) => one.loss === null).map((one) => one.move);
  const found =
    bad === 0
      ? `No move${unjudged.length > 0 ? " that it can judge" : ""} is clearly worse than what the search would have played.`
      : `${bad === 1 ? "One move is" : `${bad} moves are`} clearly worse than what the search would have played: ? or ?? in the list.`;
  if (unjudged.length === 0) return found;
  return `${found} It looked too little to judge ${unjudged.join(", ")}.`;
}

const SHOWN = 4;
/** Differences up to this are noise. */
const ABOUT = 0.05;

/** What was played, what the search would have played, and what the difference is worth. */
function VerdictText(props: { verdict: Verdict; action: string; label: string; before: string }): JSX.Element {
  const { look, loss } = props.verdict;
  const mix = playedBy(look);
  const words = mix.slice(0, SHOWN).map((one) => `${one.label} (${percent(one.probability)})`);
  const own = mix.some((one) => one.action === props.action);
  const worse = loss === null ? 0 : loss;
  return (
    <p data-testid="advice">
      {props.before} <strong>{props.label}</strong>.{" "}
      {own && mix.length === 1 ? (
        "The search plays this move too."
      ) : (
        <>
          The search would have played <strong>{words.join(", ")}</strong>
          {mix.length > SHOWN && ` or one of ${mix.length - SHOWN} others`}.{" "}
          {own
            ? "So it plays this move too."
            : loss === null
              ? `It looked too little at ${props.label} to judge it.`
              : worse > ABOUT
                ? `By its estimate ${props.label} is ${worse.toFixed(2)} worse: ${signed(look.value - worse)} instead of ${signed(look.value)}.`
                : `By its estimate ${props.label} is about as good.`}
        </>
      )}
    </p>
  );
}
