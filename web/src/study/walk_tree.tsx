// A drawing of where a step of the walk-through is: the whole tree of a deal if it is small,
// otherwise the information set with what leads to it and what follows.
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { number, percent, signed } from "./numbers";

export const END = "(end)";

export type WalkStep = {
  iteration: number;
  deal: string | null;
  infoset: string;
  player: number;
  actions: string[];
  moves: string[] | null;
  histories: number;
  leads_to: string[][];
  own_reach: number;
  opponent_reach: number;
  strategy: number[];
  values: number[];
  expected_value: number;
  regret: number[];
  previous_regret: number[];
  cumulative_regret: number[];
  weights: number[];
  next_strategy: number[];
  sentences: string[];
  worked: Record<string, string[]>;
  /** The number of the traversal that computed this step. */
  traversal: number;
  /** The histories of this information set one by one; empty if there are many. */
  listed_histories: History[];
};
export type Choice = { infoset: string; action: string; share: number };
export type Reply = { infoset: string; actions: string[]; strategy: number[]; values: number[] };
export type History = {
  name: string;
  weight: number;
  chance: number;
  others: Choice[];
  own: Choice[];
  values: number[];
  replies: (Reply | null)[];
};
/** What every information set played in a traversal, and what that was worth to its player. */
export type Traversal = Record<string, { strategy: number[]; values: number[]; expected_value: number }>;

/** The steps of a step's iteration, with the strategies and values that its own traversal used. */
export function asUsedAt(steps: WalkStep[], current: WalkStep, traversals: Traversal[]): WalkStep[] {
  const used = traversals[current.traversal]!;
  return steps.filter((one) => one.iteration === current.iteration).map((one) => ({ ...one, ...used[one.infoset] }));
}

type Node = { x: number; y: number; name: string; step?: WalkStep; payoff?: string; children: Edge[] };
type Edge = { to: Node; action: string; share: number; value: number };

const WIDE = 116;
const HIGH = 92;
const BOX = { width: 112, height: 36 }; // holds the longest number, such as -0.0001234
const LETTER = 7.6; // the width of a letter of a label, with some room
const MOST = 40;
const LEAST_SCALE = 0.9; // numbers of 11 units stay 10 pixels high; what has no room can be scrolled to
const MARGIN = 16; // so much out of sight is no part of the tree

/** ``steps`` are those of the iteration, as used at the current one. */
export function WalkTree(props: { steps: WalkStep[]; current: WalkStep; go: (infoset: string) => void }): JSX.Element {
  const roots = forest(props.steps) ?? neighbourhood(props.steps, props.current);
  const nodes = roots.flatMap(all);
  const branches = nodes.flatMap((from) => from.children.map((edge) => ({ from, edge, key: `${from.x},${from.y},${edge.action},${edge.to.x}` })));
  const width = Math.max(...nodes.map((node) => node.x)) + WIDE / 2 + 8;
  const height = Math.max(...nodes.map((node) => node.y)) + 36;
  const frame = useRef<HTMLDivElement>(null);
  const [cut, setCut] = useState(false); // whether a part of the tree is out of sight
  const here = nodes.find((node) => node.name === props.current.infoset);
  useLayoutEffect(() => {
    const box = frame.current!;
    setCut(isCut(box));
    if (here) box.scrollLeft = (here.x / width) * box.scrollWidth - box.clientWidth / 2; // this step in the middle
  }, [here?.x, width]);
  useEffect(() => {
    const box = frame.current!;
    // In the next frame: the hint changes the height of what is observed.
    const resized = new ResizeObserver(() => requestAnimationFrame(() => setCut(isCut(box))));
    resized.observe(box);
    return () => resized.disconnect();
  }, []);
  return (
    <div class="tree-frame" role="region" aria-label="Tree" tabIndex={0} ref={frame}>
      {cut && <p class="quiet tree-hint">The tree is wider than the page: move it sideways.</p>}
      <svg class="tree" viewBox={`0 0 ${width} ${height}`} style={{ maxWidth: `${width * 1.15}px`, minWidth: `${width * LEAST_SCALE}px` }}>
        {branches.map((branch) => <Line {...branch} />)}
        {branches.filter(({ edge }) => edge.action !== "").map((branch) => <Label {...branch} />)}
        {nodes.map((node) => (
          <Box key={`${node.x},${node.y}`} node={node} current={node.name === props.current.infoset} go={props.go} />
        ))}
      </svg>
    </div>
  );
}

const isCut = (box: HTMLElement): boolean => box.scrollWidth > box.clientWidth + MARGIN;

function Line({ from, edge }: { from: Node; edge: Edge }): JSX.Element {
  const opacity = edge.action === "" ? 0.6 : 0.35 + 0.65 * edge.share;
  const [top, end] = [from.y + BOX.height / 2, edge.to.y - BOX.height / 2];
  return <line class="edge" opacity={opacity} x1={from.x} y1={top} x2={edge.to.x} y2={end} stroke-width={1 + 3 * edge.share} />;
}

/** An action and its share, on a ground that covers the line, and nearer to the end where the lines are further apart. */
function Label({ from, edge }: { from: Node; edge: Edge }): JSX.Element {
  const near = from.children.length > 1 ? 0.6 : 0.4;
  const x = from.x + near * (edge.to.x - from.x);
  const y = (from.y + edge.to.y) / 2 + (near - 0.5) * (HIGH - BOX.height);
  const share = percent(edge.share).replace(" ", "");
  const width = LETTER * Math.max(edge.action.length, share.length);
  return (
    <g>
      <rect class="ground" x={x - width / 2} y={y - 15} width={width} height={28} />
      <text x={x} y={y - 4} class="label">
        {edge.action}
      </text>
      <text x={x} y={y + 9} class="minor">
        {share}
      </text>
    </g>
  );
}

function Box(props: { node: Node; current: boolean; go: (infoset: string) => void }): JSX.Element {
  const { node, current } = props;
  const { step } = node;
  const short = node.name.length > 9 ? `${node.name.slice(0, 8)}…` : node.name;
  if (step === undefined) {
    return (
      <g>
        <text x={node.x} y={node.y - 4} class="minor">
          {short}
        </text>
        {node.payoff && (
          <text x={node.x} y={node.y + 10} class="minor" data-payoff>
            {node.payoff}
          </text>
        )}
      </g>
    );
  }
  const go = () => props.go(node.name);
  const value = `P${step.player} EV ${number(step.expected_value, 4)}`; // every number says whose it is
  const full = short === node.name ? "" : `, ${node.name}`;
  return (
    <g
      class={`node player${step.player} ${current ? "current" : ""}`}
      role="button"
      tabIndex={0}
      aria-label={`${short} ${value}${full}, player ${step.player}${current ? ", this step" : ""}`}
      data-infoset={node.name}
      onClick={go}
      onKeyDown={(event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          go();
        }
      }}
    >
      <rect class="box" x={node.x - BOX.width / 2} y={node.y - BOX.height / 2} {...BOX} rx={7} />
      <text x={node.x} y={node.y - 2}>
        {short}
      </text>{" "}
      <text x={node.x} y={node.y + 12} class="minor">
        {value}
      </text>
    </g>
  );
}

const all = (node: Node): Node[] => [node, ...node.children.flatMap((edge) => all(edge.to))];

/** The trees of an iteration; null if an information set has several ways to it, or all is too large. */
function forest(here: WalkStep[]): Node[] | null {
  const parents = new Map<string, number>();
  for (const step of here) for (const name of step.leads_to.flat()) parents.set(name, (parents.get(name) ?? 0) + 1);
  const byName = new Map(here.map((step) => [step.infoset, step]));
  if (here.length > MOST || here.some((step) => (parents.get(step.infoset) ?? 0) > 1)) return null;
  let column = 0;
  const place = (name: string, depth: number, payoff?: string): Node => {
    const step = byName.get(name);
    const y = 24 + depth * HIGH;
    if (step === undefined) return { x: (column++ + 0.5) * WIDE, y, name, payoff, children: [] };
    const children = step.actions.flatMap((action, k) =>
      (step.leads_to[k] ?? []).map((next) => ({
        to: place(next, depth + 1, payoffOf(step, k)),
        action,
        share: step.strategy[k]!,
        value: step.values[k]!,
      })),
    );
    const xs = children.map((edge) => edge.to.x);
    const x = xs.length > 0 ? (Math.min(...xs) + Math.max(...xs)) / 2 : (column++ + 0.5) * WIDE;
    return { x, y, name, step, children };
  };
  const roots = here.filter((step) => !parents.has(step.infoset)).map((step) => place(step.infoset, 0));
  return column > MOST || roots.length > 1 ? null : roots;
}

/** What an action that always ends the game pays the player who takes it. */
function payoffOf(step: WalkStep, k: number): string | undefined {
  const ends = step.leads_to[k]!.every((name) => name === END);
  return ends ? `P${step.player}: ${signed(step.values[k])}` : undefined;
}

/** What leads to the current information set, itself, and what its actions lead to. */
function neighbourhood(here: WalkStep[], current: WalkStep): Node[] {
  const byName = new Map(here.map((step) => [step.infoset, step]));
  const before = here.filter((step) => step.leads_to.flat().includes(current.infoset)).slice(0, 5);
  const top = before.length > 0 ? HIGH : 0;
  const after = current.actions.flatMap((action, k) => {
    const names = current.leads_to[k] ?? [];
    const shown = names.length > 3 ? [...names.slice(0, 2), `${names.length - 2} more`] : names;
    return shown.map((name, n) => ({ name, action: n === 0 ? action : "", k }));
  });
  const columns = Math.max(before.length, after.length, 1);
  const x = (count: number, n: number) => ((n + 0.5 + (columns - count) / 2) * WIDE);
  const node: Node = {
    x: (columns * WIDE) / 2,
    y: 24 + top,
    name: current.infoset,
    step: current,
    children: after.map(({ name, action, k }, n) => ({
      to: { x: x(after.length, n), y: 24 + top + HIGH, name, step: byName.get(name), payoff: payoffOf(current, k), children: [] },
      action,
      share: current.strategy[k]!,
      value: current.values[k]!,
    })),
  };
  if (before.length === 0) return [node];
  const found = before.map((step, n): Node => {
    const k = step.leads_to.findIndex((names) => names.includes(current.infoset));
    const edge = { to: node, action: step.actions[k]!, share: step.strategy[k]!, value: step.values[k]! };
    return { x: x(before.length, n), y: 24, name: step.infoset, step, children: [edge] };
  });
  // Only the first way draws what follows; the others end at the same box.
  return found.map((one, n) =>
    n === 0 ? one : { ...one, children: one.children.map((edge) => ({ ...edge, to: { ...node, children: [] } })) },
  );
}
