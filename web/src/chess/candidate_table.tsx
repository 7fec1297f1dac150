// The moves that a search considered: how often it plays them, and what each is worth.
import type { JSX } from "preact";
import { decimalsFor, percent, signed } from "../values";
import { PLAYED, type LookCandidate } from "./look";

/** The end of a move that takes the king. */
const KING_TAKEN = "#";

export function CandidateTable(props: {
  candidates: readonly LookCandidate[];
  /** What comes first: what the search plays, or the highest value. */
  order: "played" | "value";
  /** How many are listed. */
  most: number;
  caption: string;
  /** The move that somebody chose; it is listed also if it is not among the first. */
  chosen?: string | null;
  /** Who chose it; by default "yours". */
  chosenBy?: string;
  /** How many positions are possible for the side to move. */
  positions: number;
}): JSX.Element {
  const sorted = [...props.candidates].sort(props.order === "played" ? playedFirst : valueFirst);
  const mine = sorted.find((one) => one.action === props.chosen);
  const listed = sorted.slice(0, props.most);
  if (mine && !listed.includes(mine)) listed.push(mine);
  const solved = listed.some((one) => one.strategy !== undefined);
  const values = listed.map((one) => one.value);
  const digits = decimalsFor(values);
  const winning = listed.filter((one) => one.label.endsWith(KING_TAKEN));
  const won = (one: LookCandidate) => winning.length > 0 && one.value.toFixed(digits) === (1).toFixed(digits);
  const winningLater = listed.some((one) => won(one) && !winning.includes(one));
  const rest = listed.filter((one) => !won(one)).map((one) => one.value.toFixed(digits));
  const alike = new Set(rest).size < rest.length;
  const mixed = sorted.filter((one) => (one.strategy ?? one.probability) > PLAYED).length > 1;
  const left = sorted.length - listed.length;
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
                {one === mine && <span class="quiet"> {props.chosenBy ?? "yours"}</span>}
              </td>
              <td>{percent(one.probability)}</td>
              {solved && <td>{percent(one.strategy ?? one.probability)}</td>}
              <td>{signed(one.value, digits)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="quiet" data-testid="candidates-note">
        {left > 0 && `${left} other legal ${left === 1 ? "move is" : "moves are"} not listed. `}
        {solved && (
          <>
            <b>Solver's mix</b> is the strategy that the solver calculated: how often it chooses each move.{" "}
          </>
        )}
        <b>Search plays</b> is the share of times the search would choose the move
        {solved && ": it keeps at most three moves of that mix, or only the likeliest one"}.{" "}
        <b>Value</b> is the result it expects after the
        move, from -1 (lost) to +1 (won), as an estimate: it plays a mix that is hard to answer, and not always the move with the
        highest value.
        {mixed &&
          " Values change while the tree grows: those of moves that were rarely searched are the least certain, " +
            "and moves of one mix may differ by about 0.1, because the tree is not finished."}
        {props.positions === 1 &&
          " Only one position is possible, but the other side may still not see everything: " +
            "that is why the move to play need not be that of the highest value."}
        {winning.length > 0 &&
          ` ${winning.map((one) => one.label).join(" and ")} ${winning.length === 1 ? "takes" : "take"} the king and ${winning.length === 1 ? "wins" : "win"} at once` +
            `${winningLater ? "; any other move of the value +1 wins later" : ""}.`}
        {alike && ` ${winning.length > 0 ? "Other moves" : "Moves"} with the same value are equally good as far as this search can tell.`}
      </p>
    </>
  );
}

function playedFirst(a: LookCandidate, b: LookCandidate): number {
  return b.probability - a.probability || (b.strategy ?? 0) - (a.strategy ?? 0) || valueFirst(a, b);
}

/** Moves of the same value keep the order of their names, however often they are listed. */
function valueFirst(a: LookCandidate, b: LookCandidate): number {
  return b.value - a.value || a.label.localeCompare(b.label, "en");
}
