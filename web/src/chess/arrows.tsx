// Arrows over a board: the wider, the likelier.
import type { JSX } from "preact";
import { center, squareNumber } from "./squares";

export type Arrow = { move: string; weight: number; kind?: "mix" | "own" | "premove" };

export function Arrows(props: { arrows: readonly Arrow[]; orientation: 0 | 1 }): JSX.Element {
  return (
    <svg class="arrows" viewBox="0 0 8 8" aria-hidden="true">
      {props.arrows.map((arrow) => (
        <OneArrow key={`${arrow.kind}${arrow.move}`} arrow={arrow} orientation={props.orientation} />
      ))}
    </svg>
  );
}

function OneArrow({ arrow, orientation }: { arrow: Arrow; orientation: 0 | 1 }): JSX.Element {
  const [x1, y1] = center(squareNumber(arrow.move), orientation);
  const [x2, y2] = center(squareNumber(arrow.move.slice(2)), orientation);
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const width = 0.06 + 0.2 * arrow.weight;
  const head = Math.min(0.42, 0.22 + width);
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [bx, by] = [x2 - ux * head, y2 - uy * head];
  const points = [
    [x2, y2],
    [bx - uy * head * 0.6, by + ux * head * 0.6],
    [bx + uy * head * 0.6, by - ux * head * 0.6],
  ];
  return (
    <g class={`arrow ${arrow.kind ?? "mix"}`} opacity={0.35 + 0.6 * arrow.weight}>
      <line x1={x1} y1={y1} x2={bx} y2={by} stroke-width={width} />
      <polygon points={points.map((point) => point.join(",")).join(" ")} />
    </g>
  );
}
