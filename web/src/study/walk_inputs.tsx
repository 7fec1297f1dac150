// Where the inputs of a step of the walk-through stand: values, reaches, regrets.
import type { ComponentChildren, JSX } from "preact";
import { number } from "./numbers";
import type { WalkStep } from "./walk_tree";

const END = "(end)";
const CHANCE = "(chance)";
const CLOSE = 1e-6;
const LISTED = 4;

type Go = (step: WalkStep) => void;
type Props = { steps: WalkStep[]; at: number; go: Go };

export function Inputs(props: Props): JSX.Element {
  const { steps, at, go } = props;
  const step = steps[at]!;
  const earlier = steps.slice(0, at).findLast((one) => one.infoset === step.infoset);
  return (
    <details open data-testid="inputs">
      <summary>Where the inputs stand</summary>
      <ul>
        {step.actions.map((action, k) => (
          <li key={action}>
            <code>v[{action}]</code> <ValueOf {...props} k={k} />
          </li>
        ))}
        <li>
          opponent reach <ReachOf {...props} own={false} />
        </li>
        <li>
          own reach <ReachOf {...props} own />
        </li>
        <li>
          <code>R</code> and <code>σ</code>:{" "}
          {earlier === undefined ? (
            "the first time here, so every regret is 0 and all actions are equally likely"
          ) : (
            <>
              as <StepLink steps={steps} to={earlier} go={go} /> left them
            </>
          )}
        </li>
      </ul>
    </details>
  );
}

function StepLink(props: { steps: WalkStep[]; to: WalkStep; go: Go }): JSX.Element {
  return (
    <button type="button" class="step" onClick={() => props.go(props.to)}>
      {props.to.infoset} (step {props.steps.indexOf(props.to) + 1})
    </button>
  );
}

/** The value of an action: a payoff, the value of the one step that follows, or a mean. */
function ValueOf(props: Props & { k: number }): JSX.Element {
  const { steps, at, k, go } = props;
  const step = steps[at]!;
  const names = step.leads_to[k] ?? [];
  const value = step.values[k]!;
  const after = names.filter((name) => name !== END && name !== CHANCE);
  const found = after.flatMap((name) => sameIteration(steps, step).find((one) => one.infoset === name) ?? []);
  const only = found[0];
  if (names.length === 1 && names[0] === END) return <>= {number(value, 5)}: {end(step)}</>;
  if (names.length === 1 && only !== undefined) {
    const sign = only.player === step.player ? 1 : -1;
    if (Math.abs(sign * only.expected_value - value) < CLOSE) {
      return (
        <>
          = {sign < 0 && "−"}EV of <StepLink steps={steps} to={only} go={go} /> = {sign < 0 ? `−(${number(only.expected_value, 5)})` : number(only.expected_value, 5)}
          {sign < 0 && ` = ${number(value, 5)}: what player ${only.player} wins, player ${step.player} loses`}
        </>
      );
    }
  }
  const parts: ComponentChildren[] = found.slice(0, LISTED).map((one, n) => (
    <span key={one.infoset}>
      {n > 0 && ", "}
      <StepLink steps={steps} to={one} go={go} /> with EV {number(one.expected_value, 5)} for player {one.player}
    </span>
  ));
  const more = found.length - LISTED;
  const hidden = after.filter((name) => !found.some((one) => one.infoset === name));
  return (
    <>
      = {number(value, 5)}: the mean{step.histories > 1 && ` over the ${step.histories} histories that look alike here, each as likely as chance and the others make it`}, of
      what follows: {parts}
      {more > 0 && ` and ${more} more`}
      {hidden.length > 0 && `${found.length > 0 ? "; " : ""}${hidden.slice(0, LISTED).join(", ")}${hidden.length > LISTED ? ", …" : ""}, whose steps are left out`}
      {names.includes(CHANCE) && `${after.length > 0 ? "; " : ""}what chance does next`}
      {names.includes(END) && `${names.length > 1 ? "; " : ""}payoffs where the game ends`}
    </>
  );
}

function end(step: WalkStep): string {
  return step.histories > 1 ? `the mean of the payoffs of ${step.histories} histories that look alike here` : "the payoff where the game ends";
}

/** The probability that leads to a step: a product along the way if there is one way only. */
function ReachOf(props: Props & { own: boolean }): JSX.Element {
  const { steps, at, own, go } = props;
  const step = steps[at]!;
  const reach = own ? step.own_reach : step.opponent_reach;
  const way = wayTo(steps, step);
  if (way === null) {
    return (
      <>
        = {number(reach, 5)}:{" "}
        {own ? "the product of the player's own probabilities on the way" : "the sum over the histories here of what chance and the others do on the way"}
      </>
    );
  }
  const factors = way.filter(([one]) => (one.player === step.player) === own);
  const product = factors.reduce((so_far, [one, k]) => so_far * one.strategy[k]!, 1);
  const chance = product > 0 ? reach / product : 1;
  const dealt = !own && Math.abs(chance - 1) > CLOSE;
  if (factors.length === 0 && !dealt) return <>= {number(reach, 5)}: {own ? "the player has not" : "nobody else has"} moved before</>;
  return (
    <>
      = {dealt && `${number(chance, 5)} (chance)`}
      {factors.map(([one, k], n) => (
        <span key={one.infoset}>
          {(n > 0 || dealt) && " × "}
          {number(one.strategy[k], 5)} (<code>σ[{one.actions[k]}]</code> at <StepLink steps={steps} to={one} go={go} />)
        </span>
      ))}
      {factors.length + Number(dealt) > 1 && ` = ${number(reach, 5)}`}
    </>
  );
}

type Way = [WalkStep, number][];

/** The decisions before a step with the actions that lead on; null if there are several ways. */
function wayTo(steps: WalkStep[], step: WalkStep): Way | null {
  const here = sameIteration(steps, step);
  const way: Way = [];
  let infoset = step.infoset;
  for (let depth = 0; depth < 100; depth++) {
    const before = here.filter((one) => one.leads_to.some((names) => names.includes(infoset)));
    if (before.length === 0) return way.length === (step.moves?.length ?? -1) ? way : null;
    if (before.length > 1) return null;
    const parent = before[0]!;
    way.unshift([parent, parent.leads_to.findIndex((names) => names.includes(infoset))]);
    infoset = parent.infoset;
  }
  return null;
}

function sameIteration(steps: WalkStep[], step: WalkStep): WalkStep[] {
  return steps.filter((one) => one.iteration === step.iteration);
}
