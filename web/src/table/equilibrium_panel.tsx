// After a hand of a small game: what an exact equilibrium would have done at every decision.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { get } from "../api";
import type { Compared } from "../keys";
import type { LiveGame } from "../live_game";
import type { TableView } from "../registry";
import type { ReviewDocument } from "../review/review_data";
import { compareHand } from "./series";
import { isDrawn, Shown } from "./shown_view";
import { roundOf } from "../games";
import { percents } from "../study/numbers";
import { differenceDigits, signed } from "../values";

type Choice = { action: string; label: string; probability: number; value: number | null };
/** ``reached``: whether equilibrium play ever comes there. */
type Decision = { ply: number; seat: number; infoset: string; played: string; given_up: number | null; reached: boolean; actions: Choice[] };
type Comparison = { values: number[]; decisions: Decision[] };

export function EquilibriumPanel(props: {
  id: string;
  live: LiveGame;
  names: string[];
  /** The whole hand, as soon as it is there. */
  review: ReviewDocument | null;
  /** How the names of information sets are read. */
  reading: string;
}): JSX.Element | null {
  const { id, live } = props;
  const [found, setFound] = useState<Comparison | null>(null);
  const [why, setWhy] = useState(""); // it is not solved
  const [error, setError] = useState("");
  const [seconds, setSeconds] = useState(0); // for which the server has been solving the game
  const [all, setAll] = useState<Compared | null>(null);
  const me = live.start!.seat;
  useEffect(() => {
    let wanted = true;
    const ask = (): Promise<void> => get<Comparison | { solving: number } | { unsolved: string }>(`/api/games/${id}/equilibrium`, live.key).then(
      (document) => {
        if (!wanted) return;
        if ("solving" in document) {
          setSeconds(document.solving);
          return ask(); // the server answers when it is done, or after a moment
        }
        if ("unsolved" in document) {
          setWhy(document.unsolved);
          return;
        }
        const mine = document.decisions.filter((one) => one.seat === me);
        setFound(document);
        if (document.decisions.length === 0) return; // a hand that was resigned at once does not count
        setAll(compareHand(id, me, document.values[me]!, mine.reduce((sum, one) => sum + (one.given_up ?? 0), 0)));
      },
      (problem: Error) => {
        if (wanted) setError(problem.message);
      },
    );
    void ask();
    return () => {
      wanted = false;
    };
  }, [id, live.key]);
  if (why) {
    return (
      <p class="quiet" title={why} data-testid="not-judged">
        Your choices are not judged: this game is too large to be solved exactly.
      </p>
    );
  }
  if (error) {
    return (
      <p class="error" role="alert">
        Your choices could not be judged: {error}.
      </p>
    );
  }
  if (found === null)
    return (
      <p class="quiet" role="status" data-testid="solving">
        Solving the game, once for all…{seconds >= 1 && ` ${Math.floor(seconds)} s so far`}
      </p>
    );
  const { names, review } = props;
  const round = roundOf(live.start!.game);
  const seen = (one: Decision) => review?.plies[one.ply]?.views[one.seat];
  const coded = found.decisions.find((one) => !isDrawn(seen(one) ?? { kind: "text" }));
  return (
    <section class="panel" aria-label="What would the equilibrium do?" data-testid="equilibrium">
      <h2>What would the equilibrium do?</h2>
      <p class="quiet">
        A player who follows an equilibrium gets at least the game's value in the long run:{" "}
        <strong>{signed(found.values[me]!)}</strong> per {round} in this seat. The bars show how often it takes each action, the
        numbers what the action brings on average.
      </p>
      {found.decisions.length === 0 && (
        <p>It ended before anybody acted ({live.over!.reason}), so there is nothing to compare.</p>
      )}
      {found.decisions.map((one) => (
        <OneDecision key={one.ply} decision={one} before={found.decisions.filter((other) => other.ply < one.ply)} names={names} view={seen(one)} />
      ))}
      {props.reading && coded && review && (
        <p class="quiet">
          A name such as <code>{coded.infoset}</code> says what the player knew: {props.reading}.
        </p>
      )}
      {all && all.hands > 0 && (
        <p data-testid="compared">
          {all.hands === 1 ? `In this ${round}` : `In these ${all.hands} ${round}s`} your choices gave up{" "}
          <strong>{all.given_up.toFixed(2)}</strong>
          {all.hands > 1 && ` in all, ${(all.given_up / all.hands).toFixed(2)} in each`}.{" "}
          {round === "hand" ? "Before the cards are dealt" : "At the start"}, an equilibrium player in{" "}
          {(all.seats ?? [me]).length > 1 ? "these seats" : "this seat"} can expect <strong>{signed(all.value / all.hands)}</strong> per {round}
          {(all.seats ?? [me]).length > 1 && " on average"}.
        </p>
      )}
    </section>
  );
}

/** Up to this an action gives up nothing. */
const NOTHING = 0.0005;
/** An action that is taken less often is never taken. */
const NEVER = 1e-6;

const playedIn = (decision: Decision): Choice | undefined => decision.actions.find((one) => one.action === decision.played);

/** What was played before a decision although the solved strategy never does: why that strategy does not come there. */
function departure(before: readonly Decision[], names: string[]): string {
  const left = before.filter((one) => (playedIn(one)?.probability ?? 1) < NEVER).at(-1);
  if (left === undefined) return "The solved strategy never comes here; other equilibria may.";
  const others = left.given_up !== null && left.given_up <= NOTHING ? "; other equilibria may" : "";
  return `${names[left.seat]} played ${playedIn(left)!.label} before this, which the solved strategy never does${others}.`;
}

/** What an action gives up: the difference of two values as they are shown. */
function verdictOn(decision: Decision, digits: number): string {
  const { given_up } = decision;
  if (given_up === null) return "not judged";
  return given_up > NOTHING ? `gives up ${given_up.toFixed(digits)} on average` : "gives up nothing";
}

/** The decimals with which the values of a decision are shown, and what its action gives up. */
function digitsOf(decision: Decision): number {
  const values = decision.actions.flatMap((one) => (one.value === null ? [] : [one.value]));
  const played = playedIn(decision)?.value ?? null;
  return played === null || (decision.given_up ?? 0) <= NOTHING ? 2 : differenceDigits(Math.max(...values), played);
}

/** What an action brings that the solved strategy never takes at a decision that it comes to; empty for other actions. */
function remarkOn(decision: Decision, digits: number): string {
  const played = playedIn(decision);
  const rare = decision.reached && decision.actions.length > 1 && played !== undefined && played.probability < NEVER && played.value !== null;
  if (!rare) return "";
  return `The solved strategy never plays ${played.label} here. With the best further play it brings ${signed(played.value!, digits)} on average.`;
}

function OneDecision(props: { decision: Decision; before: readonly Decision[]; names: string[]; view: TableView | undefined }): JSX.Element {
  const { decision, names, view } = props;
  const name = names[decision.seat]!;
  const drawn = view !== undefined && isDrawn(view);
  const shares = percents(decision.actions.map((one) => one.probability), 1);
  const played = playedIn(decision);
  const digits = digitsOf(decision);
  return (
    <div class="equilibrium-decision">
      <p>
        {name}
        {!drawn && (
          <>
            , knowing <code>{decision.infoset}</code>
          </>
        )}
        : <strong>{played?.label ?? decision.played}</strong>{" "}
        <span class="quiet">({verdictOn(decision, digits)})</span>
      </p>
      {remarkOn(decision, digits) && <p class="quiet">{remarkOn(decision, digits)}</p>}
      {drawn && (
        <details class="small">
          <summary>What {name === "You" ? "you" : name} knew then</summary>
          <Shown view={view} names={names} actions={[]} act={() => undefined} />
        </details>
      )}
      {!decision.reached && (
        <p class="quiet">
          {departure(props.before, names)} So {decision.given_up === null && "this decision is not judged, and "}there is no mix to compare with
          {decision.actions.some((one) => one.value !== null) && "; the numbers are what each action brings with the best further play"}.
        </p>
      )}
      <ul class="equilibrium-mix">
        {decision.actions.map((one, number) => (
          <li key={one.action} class={one.action === decision.played ? "chosen" : ""}>
            {decision.reached && <span class="fill" style={{ width: `${100 * one.probability}%` }} aria-hidden="true" />}
            <span class="words">
              {one.label} {decision.reached && shares[number]}
            </span>
            {one.value !== null && <span class="words value">{signed(one.value, digits)}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}
