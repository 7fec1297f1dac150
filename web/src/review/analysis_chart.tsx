// Value and size of the belief over a game, with marks where the truth surprised; a click goes to the ply.
import type { JSX } from "preact";
import type { ChessLook } from "../chess/look";
import type { Surprise } from "./analysis";
import { badMoveSign, BAD_MOVES, playedBy, SURPRISE_MEANINGS as MEANINGS, SURPRISE_SIGNS as SIGNS } from "./marks";
import { moveName, type ReviewDocument } from "./review_data";


export function AnalysisChart(props: {
  looks: ReadonlyMap<number, ChessLook>;
  surprises: readonly Surprise[];
  review: ReviewDocument;
  at: number;
  onChoose: (ply: number) => void;
}): JSX.Element {
  const [width, height, margin] = [300, 104, 14];
  const graph = height - margin;
  const last = props.review.plies.length - 1;
  const points = [...props.looks].sort(([a], [b]) => a - b);
  const x = (ply: number) => (width * ply) / Math.max(1, last);
  const most = Math.max(1, ...points.map(([, look]) => Math.log10(Math.max(1, look.positions))));
  const value = points.map(([ply, look]) => `${x(ply)},${margin + (graph / 2) * (1 - look.value)}`);
  const size = points.map(
    ([ply, look]) => `${x(ply)},${height - (graph * Math.log10(Math.max(1, look.positions))) / most}`,
  );
  const kinds = (Object.keys(SIGNS) as Surprise["kind"][]).filter((kind) => props.surprises.some((one) => one.kind === kind));
  const bad = points.flatMap(([ply, look]) => {
    const played = props.review.plies[ply + 1];
    const sign = played ? badMoveSign(look, played.action) : "";
    const better = playedBy(look)[0]?.label;
    return sign && better !== undefined ? [{ ply: ply + 1, sign, better }] : [];
  });
  return (
    <figure class="analysis-chart">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label="Value and number of possible positions over the game"
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          props.onChoose(Math.round(((event.clientX - box.left) / box.width) * last));
        }}
      >
        <line class="middle-line" x1="0" x2={width} y1={margin + graph / 2} y2={margin + graph / 2} />
        <polyline class="size" points={size.join(" ")} />
        <polyline class="value" points={value.join(" ")} />
        <text class="axis" x="2" y={margin + 8}>
          +1 won
        </text>
        <text class="axis" x="2" y={margin + graph / 2 - 2}>
          0
        </text>
        <text class="axis" x="2" y={height - 2}>
          -1 lost
        </text>
        <text class="axis right" x={width - 2} y={margin + 8}>
          {Math.round(10 ** most).toLocaleString("en")}
        </text>
        <text class="axis right" x={width - 2} y={height - 2}>
          1
        </text>
        <line class="now" x1={x(props.at)} x2={x(props.at)} y1="0" y2={height} />
        {props.surprises.map((one, number) => (
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
            <line x1={x(one.ply)} x2={x(one.ply)} y1={margin} y2={height} />
            <circle cx={Math.min(width - 6, Math.max(6, x(one.ply)))} cy={margin / 2} r="6" />
            <text x={Math.min(width - 6, Math.max(6, x(one.ply)))} y={margin / 2 + 3}>
              {SIGNS[one.kind]}
            </text>
          </g>
        ))}
      </svg>
      <figcaption class="quiet">
        Over the moves of the game: <span class="value-key">value</span> (scale on the left),{" "}
        <span class="size-key">possible positions</span> (scale on the right, logarithmic). Values are estimates. Click to go there.
      </figcaption>
      <p class="quiet" data-testid="bad-moves">
        In the list of moves:{" "}
        {BAD_MOVES.map(({ sign, least }, number) => (
          <>
            {number > 0 && ", "}
            <strong>{sign}</strong> a move that is at least {least} worse than the search's play, by its estimate
          </>
        ))}
        .
      </p>
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
                {moveName(props.review, one.ply)}
                <strong>{one.sign}</strong> The search plays <strong>{one.better}</strong>.
              </button>
            </li>
          ))}
        </ul>
      )}
      {props.surprises.length > 0 && (
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
            {props.surprises.map((one, number) => (
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
                  {one.ply === 0 ? "At the start" : `After ${moveName(props.review, one.ply)}`}: {one.text}
                </button>
              </li>
            ))}
          </ol>
        </details>
      )}
    </figure>
  );
}
