// How a search's tree grows while it runs, and how its nodes are spread over the depths when it is done.
import type { JSX } from "preact";
import type { ChessLook } from "./look";

const [WIDTH, HEIGHT] = [300, 40];

export function TreeGrowth(props: { look: ChessLook; growth: [number, number][] }): JSX.Element | null {
  const { look, growth } = props;
  if (look.nodes === 0) return null;
  const levels = look.levels;
  const last = Math.max(0.001, ...growth.map(([seconds]) => seconds));
  const most = Math.max(1, ...growth.map(([, nodes]) => nodes));
  const line = [[0, 0], ...growth].map(([x, y]) => `${(WIDTH * x!) / last},${HEIGHT - (HEIGHT * y!) / most}`);
  const widest = Math.max(1, ...levels);
  const bar = WIDTH / Math.max(1, levels.length);
  const words = look.done && levels.length > 0 ? `Nodes at each depth, from 0 to ${levels.length - 1}` : "Nodes over time";
  return (
    <figure class="tree-growth" data-testid="tree-growth">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={words} preserveAspectRatio="none">
        {look.done && levels.length > 0
          ? levels.map((count, depth) => {
              const height = (HEIGHT * count) / widest;
              return <rect key={depth} x={depth * bar} y={HEIGHT - height} width={Math.max(1, bar - 1)} height={height} />;
            })
          : growth.length > 0 && <polyline points={line.join(" ")} />}
      </svg>
      <figcaption class="quiet">
        {words}; {look.iterations.toLocaleString("en")} iterations
        {look.seconds !== undefined && ` in ${look.seconds.toFixed(1)} s`}. A node is a position that the search has looked at,
        {look.done && levels.length > 0 ? " its depth the number of moves ahead," : ""} an iteration one improvement of both
        sides' plans.
      </figcaption>
    </figure>
  );
}
