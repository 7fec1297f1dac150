// The moves that a search considered: how often it plays them, and what each is worth.
import type { JSX } from "preact";
import { percent, signed } from "../values";
import type { LookCandidate } from "./look";

export function CandidateTable(props: {
  /** In the order in which they are listed. */
  candidates: readonly LookCandidate[];
  /** How many are listed. */
  most: number;
  caption: string;
  /** The move that somebody chose; it is listed also if it is not among the first. */
  chosen?: string | null;
}): JSX.Element {
  const mine = props.candidates.find((one) => one.action === props.chosen);
  const listed = props.candidates.slice(0, props.most);
  if (mine && !listed.includes(mine)) listed.push(mine);
  const solved = listed.some((one) => one.strategy !== undefined);
  return (
    <>
    <table>
      <caption class="sr">{props.caption}</caption>
      <thead>
        <tr>
          <th scope="col">Move</th>
          <th scope="col">Search plays</th>
          {solved && <th scope="col">Solver's mix</th>}
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {listed.map((one) => (
          <tr key={one.action} class={one === mine ? "chosen" : ""}>
            <td>
              {one.label}
              {one === mine && <span class="quiet"> yours</span>}
            </td>
            <td>{percent(one.probability)}</td>
            {solved && <td>{percent(one.strategy ?? one.probability)}</td>}
            <td>{signed(one.value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
    <p class="quiet">
      The values are estimates of single moves, and the search plays the mix of the solver's equilibrium: a move with a slightly
      higher value may not be played.
    </p>
    </>
  );
}
