// Curves of several series over one quantity, on linear or logarithmic axes.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { column, magnitudes, number, rough } from "./numbers";

export type Series = { name: string; colour: string; points: [number, number][]; dashed?: boolean };

type Props = {
  title: string;
  series: Series[];
  x: string;
  logX?: boolean;
  logY?: boolean;
  height?: number;
  /** Significant digits of the numbers in the legend, on linear axes. */
  digits?: number;
  /** Name the series with their last values; otherwise a table beside does. */
  legend?: boolean;
};

export function Curves(props: Props): JSX.Element {
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const [pointed, setPointed] = useState<number | null>(null); // the place on the x axis
  const point = useRef(setPointed);
  const latest = useRef(props);
  latest.current = props;
  const shape = props.series.map((one) => `${one.name}${one.colour}`).join("|");

  useEffect(() => {
    const element = frame.current!;
    const make = () => {
      plot.current?.destroy();
      plot.current = new uPlot(options(latest.current, element, point.current), aligned(latest.current), element);
    };
    make();
    const theme = matchMedia("(prefers-color-scheme: dark)");
    theme.addEventListener("change", make);
    const resized = new ResizeObserver(() =>
      plot.current?.setSize({ width: element.clientWidth, height: latest.current.height ?? 240 }),
    );
    resized.observe(element);
    return () => {
      theme.removeEventListener("change", make);
      resized.disconnect();
      plot.current?.destroy();
      plot.current = null;
    };
  }, [shape, props.logX, props.logY]);

  useEffect(() => plot.current?.setData(aligned(props)), [props.series]);

  const shown = props.series.map((one) => valueAt(one, pointed));
  const values = props.logY ? magnitudes(shown) : column(shown, props.digits);
  return (
    <figure class="curves">
      <figcaption>{props.title}</figcaption>
      {props.legend && (
        <ul class="legend">
          {props.series.map((one, k) => (
            <li key={one.name}>
              <span class="swatch" style={{ background: one.colour }} aria-hidden="true" /> {one.name}{" "}
              <b>{values[k]}</b>
            </li>
          ))}
          {pointed !== null && (
            <li class="quiet">
              at {rough(pointed)} {props.x}
            </li>
          )}
        </ul>
      )}
      <div ref={frame} class="plot" role="img" aria-label={summary(props)} />
    </figure>
  );
}

/** Steps between ticks of whole numbers. */
const WHOLE = [1, 2, 5].flatMap((k) => Array.from({ length: 9 }, (_, power) => k * 10 ** power)).sort((a, b) => a - b);

/** The value of a series at a place, or before it if it has none there; without a place the last one. */
function valueAt(series: Series, x: number | null): number | undefined {
  if (x === null) return series.points.at(-1)?.[1];
  return (series.points.filter(([at]) => at <= x).at(-1) ?? series.points[0])?.[1];
}

/** uPlot wants one list of x for all series: the union, with gaps. */
function aligned(props: Props): uPlot.AlignedData {
  const tables = props.series.map((one): uPlot.AlignedData => {
    const shown = one.points.filter(([x, y]) => (!props.logX || x > 0) && (!props.logY || y > 0));
    return [shown.map(([x]) => x), shown.map(([, y]) => y)];
  });
  return tables.length > 0 ? uPlot.join(tables) : [[], []];
}

function options(props: Props, element: HTMLElement, point: (x: number | null) => void): uPlot.Options {
  const text = getComputedStyle(element).color;
  const grid = { stroke: text.replace("rgb(", "rgba(").replace(")", ", 0.13)"), width: 1 };
  const axis = (log: boolean | undefined): uPlot.Axis => {
    const lines = log ? { ...grid, filter: decades } : grid;
    return { stroke: text, grid: lines, ticks: lines, font: "12px system-ui, sans-serif" };
  };
  const write = (_: uPlot, ticks: (number | null)[]) => ticks.map((one) => (one === null ? "" : number(one)));
  return {
    width: element.clientWidth,
    height: props.height ?? 240,
    legend: { show: false },
    cursor: { drag: { x: false, y: false } },
    hooks: { setCursor: [(plot) => point(plot.cursor.idx == null ? null : (plot.data[0][plot.cursor.idx] ?? null))] },
    scales: {
      x: { time: false, distr: props.logX ? 3 : 1 },
      y: { distr: props.logY ? 3 : 1 },
    },
    axes: [
      { ...axis(props.logX), ...(props.x === "iterations" ? { incrs: WHOLE } : {}), label: props.x, labelSize: 18, labelFont: "12px system-ui, sans-serif", values: write },
      { ...axis(props.logY), size: 64, values: write },
    ],
    series: [
      {},
      ...props.series.map((one) => ({
        label: one.name,
        stroke: one.colour,
        width: 2,
        dash: one.dashed ? [6, 4] : undefined,
        spanGaps: true,
        points: { show: !one.dashed, size: 5 },
      })),
    ],
  };
}

/** On a logarithmic axis of many decades only whole powers of ten have lines. */
function decades(_: uPlot, splits: number[]): (number | null)[] {
  const whole = splits.filter((one) => Number.isInteger(Math.round(Math.log10(one) * 1e6) / 1e6));
  return whole.length > 3 ? splits.map((one) => (whole.includes(one) ? one : null)) : splits;
}

function summary(props: Props): string {
  const ends = props.series.map((one) => {
    const last = one.points.at(-1);
    return last === undefined ? `${one.name}: nothing yet` : `${one.name}: ${(props.logY ? rough : number)(last[1])} at ${rough(last[0])}`;
  });
  const over = props.title.includes(" over ") ? "" : ` over ${props.x}`;
  return `${props.title}${over}. ${ends.join("; ")}`;
}
