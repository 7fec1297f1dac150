// Value and size of the belief over a game, with marks where the truth surprised; a click goes to the ply.
import type { JSX } from "preact";
import type { Analysis, Surprise } from "./analysis";
import { playedBy } from "./look";
import { BAD_MOVES, SURPRISE_MEANINGS as MEANINGS, SURPRISE_SIGNS as SIGNS, verdictOn } from "./marks";
import { moveName, type ReviewDocument } from "../review/review_data";

const [WIDTH, HEIGHT] = [300, 110];
/** Room for the signs above the plot, and for the scales beside it. */
const [TOP, LEFT, RIGHT, BOTTOM] = [14, 34, 28, 3];

export function AnalysisChart(props: {
  analysis: Analysis;
  review: ReviewDocument;
  at: number;
  onChoose: (ply: number) => void;
}): JSX.Element {
  const { analysis, review } = props;
  const { surprises } = analysis;
  const last = review.plies.length - 1;
  const looks = [...analysis.looks].sort(([a], [b]) => a - b);
  const most = Math.max(1, ...looks.map(([, look]) => Math.log10(Math.max(1, look.positions))));
  // After a decision at which somebody resigned, the result has a place of its own: beside the line of that decision, not under it.
  const end = !analysis.running && analysis.looks.has(last) ? last + 1 : last;
  const x = (ply: number) => LEFT + ((WIDTH - LEFT - RIGHT) * ply) / Math.max(1, end);
  const y = (part: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - part);
  const values: [number, number][] = looks.map(([ply, look]) => [ply, look.value]);
  if (!analysis.running) values.push([end, review.returns[analysis.seat]!]); // it ends with the result
  const value = values.map(([ply, worth]) => `${x(ply)},${y((1 + worth) / 2)}`);
  const size = looks.map(([ply, look]) => ({
    point: `${x(ply)},${y(Math.log10(Math.max(1, look.positions)) / most)}`,
    rough: look.complete === false,
  }));
  const rough = size.some((one) => one.rough);
  const kinds = (Object.keys(SIGNS) as Surprise["kind"][]).filter((kind) => surprises.some((one) => one.kind === kind));
  const bad = looks.flatMap(([ply]) => {
    const verdict = verdictOn(analysis, review, ply);
    if (!verdict?.sign) return [];
    return [{ ply: ply + 1, sign: verdict.sign, loss: verdict.loss ?? 0, better: playedBy(verdict.look)[0]?.label }];
  });
  const signs = BAD_MOVES.filter(({ sign }) => bad.some((one) => one.sign === sign));
  const place = (ply: number) => Math.min(WIDTH - 6, Math.max(6, x(ply)));
  const scale = (text: string, part: number, right = false) => (
    <text class={right ? "axis right" : "axis"} x={right ? WIDTH - 1 : 1} y={y(part) + (part === 1 ? 7 : part === 0 ? 0 : 3)}>
      {text}
    </text>
  );
  return (
    <figure class="analysis-chart">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label="Value and number of possible positions over the game"
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          const part = ((event.clientX - box.left) / box.width) * WIDTH - LEFT;
          props.onChoose(Math.max(0, Math.min(last, Math.round((part / (WIDTH - LEFT - RIGHT)) * end))));
        }}
      >
        <line class="middle-line" x1={LEFT} x2={WIDTH - RIGHT} y1={y(0.5)} y2={y(0.5)} />
        {size.slice(1).map((one, number) => (
          <polyline
            class={one.rough || size[number]!.rough ? "size rough" : "size"}
            key={number}
            points={`${size[number]!.point} ${one.point}`}
          />
        ))}
        <polyline class="value" points={value.join(" ")} />
        {scale("+1 won", 1)}
        {scale("0", 0.5)}
        {scale("-1 lost", 0)}
        {scale(Math.round(10 ** most).toLocaleString("en"), 1, true)}
        {scale("1", 0, true)}
        <line class="now" x1={x(props.at)} x2={x(props.at)} y1="0" y2={HEIGHT} />
        {!analysis.running && <circle class="result" cx={x(end)} cy={y((1 + review.returns[analysis.seat]!) / 2)} r="3" />}
        {surprises.map((one, number) => (
          <g
            key={number}
            class="surprise"
            data-ply={one.ply}
            onClick={(event) => {
              event.stopPropagation();
              props.onChoose(one.ply);
            }}
          >
            <title>{one.text}</title>
            <line x1={x(one.ply)} x2={x(one.ply)} y1={TOP} y2={HEIGHT} />
            <circle cx={place(one.ply)} cy={TOP / 2} r="6" />
            <text x={place(one.ply)} y={TOP / 2 + 3}>
              {SIGNS[one.kind]}
            </text>
          </g>
        ))}
      </svg>
      <figcaption class="quiet">
        Over the moves of the game: <span class="value-key">value</span> (scale on the left; the dot is the result),{" "}
        <span class="size-key">possible positions</span> (scale on the right, logarithmic{rough && "; dotted where there are more than could be found"}). Values are estimates. Click to go there.
      </figcaption>
      {signs.length > 0 && (
        <p class="quiet" data-testid="bad-moves">
          In the list of moves, by the search's estimate:{" "}
          {signs.map(({ sign, least }, number) => (
            <>
              {number > 0 && ", "}
              <strong>{sign}</strong> a move that is at least {least} worse than its play
            </>
          ))}
          .
        </p>
      )}
      {bad.length > 0 && (
        <ul class="surprise-list" aria-label="Better moves" data-testid="better-moves">
          {bad.map((one) => (
            <li key={one.ply}>
              <button
                type="button"
                class="step"
                aria-current={props.at === one.ply ? "step" : undefined}
                onClick={() => props.onChoose(one.ply)}
              >
                {moveName(review, one.ply)}
                <strong>{one.sign}</strong> {one.loss.toFixed(2)} worse.{" "}
                {one.better && (
                  <>
                    The search plays <strong>{one.better}</strong>.
                  </>
                )}
              </button>
            </li>
          ))}
        </ul>
      )}
      {surprises.length > 0 && (
        <details open data-testid="surprises">
          <summary>Where the truth surprised</summary>
          <ul class="legend" aria-label="What the marks mean" data-testid="marks">
            {kinds.map((kind) => (
              <li key={kind}>
                <span class="surprise-sign">{SIGNS[kind]}</span> {MEANINGS[kind]}
              </li>
            ))}
          </ul>
          <ol class="surprise-list">
            {surprises.map((one, number) => (
              <li key={number}>
                <button
                  type="button"
                  class="step"
                  aria-current={props.at === one.ply ? "step" : undefined}
                  onClick={() => props.onChoose(one.ply)}
                >
                  <span class="surprise-sign" title={MEANINGS[one.kind]} aria-hidden="true">
                    {SIGNS[one.kind]}
                  </span>{" "}
                  {moment(review, one)}: {one.text}
                </button>
              </li>
            ))}
          </ol>
        </details>
      )}
    </figure>
  );
}

/** When something surprised. What stood in the fog has nothing to do with the last move: it is told before the decision at which
 *  the search did not expect it. */
function moment(review: ReviewDocument, one: Surprise): string {
  if (one.ply === 0) return "At the start";
  if (one.kind === "hidden" && one.ply + 1 < review.plies.length) return `Before ${moveName(review, one.ply + 1)}`;
  return `After ${moveName(review, one.ply)}`;
}
