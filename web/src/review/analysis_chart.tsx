// Value and size of the belief over a game; a click goes to the ply.
import type { JSX } from "preact";
import type { ChessLook } from "../chess/look";

export function AnalysisChart(props: {
  looks: ReadonlyMap<number, ChessLook>;
  plies: number;
  at: number;
  onChoose: (ply: number) => void;
}): JSX.Element {
  const [width, height] = [300, 90];
  const points = [...props.looks].sort(([a], [b]) => a - b);
  const x = (ply: number) => (width * ply) / Math.max(1, props.plies);
  const most = Math.max(1, ...points.map(([, look]) => Math.log10(Math.max(1, look.positions))));
  const value = points.map(([ply, look]) => `${x(ply)},${(height / 2) * (1 - look.value)}`);
  const size = points.map(
    ([ply, look]) => `${x(ply)},${height - (height * Math.log10(Math.max(1, look.positions))) / most}`,
  );
  return (
    <figure class="analysis-chart">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label="Value and number of possible positions over the game"
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          props.onChoose(Math.round(((event.clientX - box.left) / box.width) * props.plies));
        }}
      >
        <line class="middle-line" x1="0" x2={width} y1={height / 2} y2={height / 2} />
        <polyline class="size" points={size.join(" ")} />
        <polyline class="value" points={value.join(" ")} />
        <line class="now" x1={x(props.at)} x2={x(props.at)} y1="0" y2={height} />
      </svg>
      <figcaption class="quiet">
        <span class="value-key">value from -1 to 1</span>, <span class="size-key">possible positions</span> (1 to{" "}
        {Math.round(10 ** most).toLocaleString("en")}, logarithmic)
      </figcaption>
    </figure>
  );
}
