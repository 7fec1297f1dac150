// Where the inputs of a step of the walk-through stand: values, reaches, regrets.
import type { JSX } from "preact";
import { number } from "./numbers";
import { END, type Choice, type History, type WalkStep } from "./walk_tree";

const CHANCE = "(chance)";
const CLOSE = 1e-6;
const LISTED = 4;

type Go = (step: WalkStep) => void;
/** ``used`` are the steps of the iteration with the strategies and values that this one computes with. */
type Props = { steps: WalkStep[]; used: WalkStep[]; at: number; go: Go };

export function Inputs(props: Props): JSX.Element {
  const { steps, at, go } = props;
  const step = steps[at]!;
  const earlier = steps.slice(0, at).filter((one) => one.infoset === step.infoset).at(-1);
  return (
    <details open data-testid="inputs">
      <summary>Where the inputs come from</summary>
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

/** The step of an information set in the same iteration; its bare name if that is left out. */
function SetLink(props: Props & { infoset: string }): JSX.Element {
  const found = sameIteration(props, props.infoset);
  if (found === undefined) return <code>{props.infoset}</code>;
  return <StepLink steps={props.steps} to={found} go={props.go} />;
}

/** A strategy that was learned earlier in this iteration is the next one of its own step. */
function letter(props: Props, infoset: string): string {
  const found = sameIteration(props, infoset);
  return found !== undefined && found.traversal < props.steps[props.at]!.traversal ? "σ′" : "σ";
}

/** The value of an action: a payoff, the value of the one step that follows, or a mean. */
function ValueOf(props: Props & { k: number }): JSX.Element {
  const { steps, at, k, go } = props;
  const step = steps[at]!;
  const names = step.leads_to[k] ?? [];
  const value = step.values[k]!;
  if (step.histories === 1 && names.length === 1) {
    if (names[0] === END) return <>= {number(value)}: the payoff where the game ends</>;
    const only = props.used.find((one) => one.infoset === names[0]);
    const sign = only?.player === step.player ? 1 : -1;
    if (only !== undefined && Math.abs(sign * only.expected_value - value) < CLOSE) {
      return (
        <>
          = {sign < 0 && "−"}EV of <StepLink steps={steps} to={sameIteration(props, only.infoset)!} go={go} /> ={" "}
          {sign < 0 ? `−(${number(only.expected_value)})` : number(only.expected_value)}
          {sign < 0 && ` = ${number(value)}: what player ${only.player} wins, player ${step.player} loses`}
        </>
      );
    }
  }
  const listed = step.listed_histories;
  if (listed.length === 0) return <Mean {...props} />;
  return (
    <>
      = {listed.map((one) => `${number(one.weight)} × ${bracketed(one.values[k]!)}`).join(" + ")} = {number(value)}, the mean
      {listed.length > 1 && " over the histories that look alike here, weighted by "}
      {listed.length > 1 && (step.opponent_reach > 0 ? "how likely chance and the others make each" : "chance alone, because the others never lead here")}:
      <ul>
        {listed.map((one) => (
          <li key={one.name}>
            <ValueIn {...props} history={one} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** What an action is worth in one history: a payoff, or the mean over the decision that follows. */
function ValueIn(props: Props & { k: number; history: History }): JSX.Element {
  const { k, history } = props;
  const reply = history.replies[k];
  const step = props.steps[props.at]!;
  const value = number(history.values[k]);
  if (!reply) {
    const ends = step.leads_to[k]!.includes(END) && !step.leads_to[k]!.includes(CHANCE);
    return (
      <>
        {history.name}: {value}, {ends ? "the payoff" : "the mean of what follows"}
      </>
    );
  }
  return (
    <>
      {history.name}: {reply.strategy.map((share, n) => `${number(share)} × ${bracketed(reply.values[n]!)}`).join(" + ")} = {value}, with{" "}
      {reply.actions.map((action) => `${letter(props, reply.infoset)}[${action}]`).join(", ")} at <SetLink {...props} infoset={reply.infoset} />
      {sameIteration(props, reply.infoset) === undefined && ", whose step is left out"}
    </>
  );
}

/** A value over more histories than are listed. */
function Mean(props: Props & { k: number }): JSX.Element {
  const step = props.steps[props.at]!;
  const names = (step.leads_to[props.k] ?? []).filter((name) => name !== END && name !== CHANCE);
  return (
    <>
      = {number(step.values[props.k])}: the mean over the {step.histories} histories that look alike here, weighted by how likely chance and
      the others make each
      {names.length > 0 && "; what follows: "}
      {names.slice(0, LISTED).map((name, n) => (
        <span key={name}>
          {n > 0 && ", "}
          <SetLink {...props} infoset={name} />
        </span>
      ))}
      {names.length > LISTED && ` and ${names.length - LISTED} more`}
    </>
  );
}

function bracketed(value: number): string {
  return value < 0 ? `(${number(value)})` : number(value);
}

/** The probability that leads to a step: for each history, a product along the way. */
function ReachOf(props: Props & { own: boolean }): JSX.Element {
  const { own } = props;
  const step = props.steps[props.at]!;
  const reach = number(own ? step.own_reach : step.opponent_reach);
  const listed = own ? step.listed_histories.slice(0, 1) : step.listed_histories;
  if (listed.length === 0) {
    return (
      <>
        = {reach}:{" "}
        {own ? "the product of the player's own probabilities on the way" : "the sum over the histories here of what chance and the others do on the way"}
      </>
    );
  }
  const ways = listed.map((one) => ({ chance: own ? 1 : one.chance, choices: own ? one.own : one.others }));
  const dealt = ways.some((way) => Math.abs(way.chance - 1) > CLOSE);
  const factors = ways.reduce((sum, way) => sum + way.choices.length + Number(dealt), 0);
  if (factors === 0) return <>= {reach}: {own ? "the player has not" : "nobody else has"} moved before</>;
  return (
    <>
      ={" "}
      {ways.map((way, n) => (
        <span key={n}>
          {n > 0 && " + "}
          {dealt && `${number(way.chance)} (chance)`}
          <Product {...props} choices={way.choices} first={!dealt} />
        </span>
      ))}
      {factors > 1 && ` = ${reach}`}
    </>
  );
}

function Product(props: Props & { choices: Choice[]; first: boolean }): JSX.Element {
  return (
    <>
      {props.choices.map((choice, n) => (
        <span key={choice.infoset}>
          {(n > 0 || !props.first) && " × "}
          {number(choice.share)} (<code>{letter(props, choice.infoset)}[{choice.action}]</code> at <SetLink {...props} infoset={choice.infoset} />)
        </span>
      ))}
    </>
  );
}

function sameIteration(props: Props, infoset: string): WalkStep | undefined {
  const { iteration } = props.steps[props.at]!;
  return props.steps.find((one) => one.iteration === iteration && one.infoset === infoset);
}
