// The numbers of a step of the walk-through, and the formulas that they come from.
import type { JSX } from "preact";
import { Meanings } from "../meanings";
import { column, number, signedColumn } from "./numbers";
import { Scroll } from "./scroll";
import type { WalkStep } from "./walk_tree";

const COLUMNS = 7;
const LETTERS = [
  ["σ", "strategy in use: how often each action is played"],
  ["v", "value of the action for the player who moves"],
  ["r", "regret of this iteration: how much better the action would have been than the mix"],
  ["R", "cumulative regret before this step"],
  ["R′", "cumulative regret after it"],
  ["w", "weight of the action, from its regret"],
  ["σ′", "next strategy: the weights, made to sum to 1"],
  ["σ̄", "average strategy: the strategies of the iterations so far, weighted"],
  ["EV", "expected value of the mix for the player who moves"],
  ["opponent reach", "probability that chance and the others lead here"],
  ["own reach", "probability that the player's own choices lead here"],
] as const;

export function NumbersTable(props: { step: WalkStep }): JSX.Element {
  const { step } = props;
  const columns = [
    column(step.strategy),
    column(step.values),
    signedColumn(step.regret),
    column(step.previous_regret),
    column(step.cumulative_regret),
    column(step.weights),
    column(step.next_strategy),
  ];
  return (
    <>
      <Scroll label="Numbers of this step">
        <table class="numbers" data-testid="numbers">
          <thead>
            <tr>
              <th>action</th>
              {LETTERS.slice(0, COLUMNS).map(([letter, meaning]) => (
                <th key={letter}>
                  <abbr title={meaning}>{letter}</abbr>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {step.actions.map((action, k) => (
              <tr key={action}>
                <td>{action}</td>
                {columns.map((cells, n) => (
                  <td key={n}>{n === COLUMNS - 1 ? <b>{cells[k]}</b> : cells[k]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <Meanings title="What do the letters mean?" terms={LETTERS} />
      <p>
        EV <b data-testid="ev">{number(step.expected_value)}</b> · opponent reach <b>{number(step.opponent_reach)}</b> · own
        reach <b>{number(step.own_reach)}</b>
      </p>
    </>
  );
}

const SYMBOLS: Record<string, string[]> = {
  "expected value": ["EV"],
  "regret of this iteration": ["r["],
  "cumulative regret": ["R′"],
  weights: ["R⁺", "c ", "η", "w", "max"],
  "next strategy": ["σ′"],
  "average strategy after this step": ["σ̄"],
};

export function Worked(props: { step: WalkStep; formulas: string[] }): JSX.Element {
  return (
    <>
      <h2>Where the numbers come from</h2>
      <dl class="worked">
        {Object.entries(props.step.worked).map(([name, lines]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {props.formulas
                .filter((line) => SYMBOLS[name]?.some((symbol) => line.startsWith(symbol)))
                .map((line) => (
                  <div class="rule" key={line}>
                    {line.replace(/ {2,}/g, " ")}
                  </div>
                ))}
              <pre tabIndex={0} aria-label={`${name} with numbers`}>
                {lines.join("\n")}
              </pre>
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
