// The walk-through: the first iterations of an algorithm, step by step, every number with its formula.
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { post } from "../api";
import { FIRST_DEALS, FIRST_SOLVED } from "../first_games";
import { FoldOnPhone } from "../fold_on_phone";
import { specTitle, type GameInfo } from "../games";
import { scrollsSideways, usePageKeys } from "../page_keys";
import { useNewest } from "../requests";
import { useAlgorithms } from "../study/algorithms";
import { GameChoice } from "../study/game_choice";
import { keepQuery, messageOf, queryValue } from "../study/jobs";
import { NumberedMix } from "../study/mix";
import { NamesNote } from "../study/names_note";
import { signedColumn } from "../study/numbers";
import { useStudyGames } from "../study/own_game";
import { Scroll } from "../study/scroll";
import { Inputs } from "../study/walk_inputs";
import { NumbersTable, Worked } from "../study/walk_numbers";
import { asUsedAt, WalkTree, type Traversal, type WalkStep } from "../study/walk_tree";
import "../styles/study.css";

type Walk = {
  game: string;
  players: number;
  algorithm: string;
  deals: string[];
  /** The first deals of the game, and how many it has in all. */
  possible_deals: string[];
  deal_count: number;
  left_out: number;
  /** What an iteration does and who learns when. */
  ground_rules: string;
  /** What the average strategy is. */
  averaging: string;
  /** The average strategy after each iteration, by information set. */
  averages: Record<string, number[]>[];
  traversals: Traversal[];
  formulas: string[];
  steps: WalkStep[];
};
type Asked = { game: string; algorithm: string; deals: string; iterations: string };
/** A walk, and what was asked for it. */
type Found = { asked: Asked; walk: Walk };

const SEED: Asked = { game: FIRST_SOLVED, algorithm: "cfr+", deals: FIRST_DEALS, iterations: "" };

export function WalkPage(): JSX.Element {
  const [asked, setAsked] = useState<Asked>(askedFor);
  const [found, setFound] = useState<Found | null>(null);
  const [error, setError] = useState("");
  const [busy, setBusy] = useState(false);
  const begin = useNewest();
  const from = useRef(0); // the step at which the visitor stands, in the walk that was shown last
  const shown = useRef(asked);
  const show = async (wanted: Asked) => {
    const newest = begin();
    setAsked(wanted);
    setError("");
    setBusy(true);
    try {
      const deals = dealsIn(wanted.deals);
      const iterations = wanted.iterations === "" ? null : Number(wanted.iterations);
      const body = { game: wanted.game, algorithm: wanted.algorithm, deals, iterations: iterations ?? (deals.length > 0 ? null : 1) };
      const walk = await post<Walk>("/api/walk", body);
      if (!newest()) return;
      if (!goesOn(shown.current, wanted)) from.current = 0;
      shown.current = wanted;
      setFound({ asked: wanted, walk });
      keepQuery({ ...wanted });
    } catch (problem) {
      if (!newest()) return;
      setFound((before) => (before && isSameKind(before.asked, wanted) ? before : null)); // others' steps would be taken for these
      setError(messageOf(problem));
    } finally {
      if (newest()) setBusy(false);
    }
  };
  /** Choose a game that is too large: the form says so, and nothing is asked for. */
  const leave = (wanted: Asked) => {
    begin();
    setAsked(wanted);
    setFound(null);
    setError("");
    setBusy(false);
  };
  useEffect(() => void show(asked), []);
  const walk = found?.walk;
  const told = found?.asked ?? asked;
  return (
    <>
      <h1>Walk-through</h1>
      <p class="quiet">
        The first iterations of an algorithm, one information set at a time: what it looks at, what it computes, and what
        it will play next. A decision is explained before those that follow it, though its values are computed from theirs: links
        lead to these later steps. <span class="keys-note">The keys ← and → go to the previous and the next step.</span>
      </p>
      <FoldOnPhone summary={`${specTitle(told.game)}, ${told.algorithm}${told.deals && `, deals ${told.deals}`}: choose another walk`}>
        <WalkForm asked={asked} onType={setAsked} onShow={(wanted) => void show(wanted)} onTooLarge={leave} found={walk?.game === asked.game ? found : null} refused={error !== ""} />
      </FoldOnPhone>
      <p class="quiet working" role="status" data-testid="working">
        {busy && "Preparing the steps…"}
      </p>
      {error && (
        <p class="error" role="alert">
          {error}
          {walk && " The steps below are those of before."}
        </p>
      )}
      {walk && walk.steps.length > 0 && <Steps walk={walk} from={from.current} onStep={(at) => (from.current = at)} key={`${walk.game} ${walk.algorithm} ${walk.deals} ${walk.steps.length}`} />}
      {walk && walk.steps.length === 0 && <p>There is nothing to decide in these deals.</p>}
    </>
  );
}

/** Whether two wishes differ at most in their deals and iterations. */
function isSameKind(one: Asked, other: Asked): boolean {
  return one.game === other.game && one.algorithm === other.algorithm;
}

/** Whether the steps of what was shown stay where they are: the same, or with more deals or iterations after them. */
function goesOn(before: Asked, after: Asked): boolean {
  const [old, now] = [dealsIn(before.deals), dealsIn(after.deals)];
  const longer = old.every((deal, number) => now[number] === deal) && (old.length > 0 || now.length === 0);
  return isSameKind(before, after) && longer;
}

/** Deals are separated by commas, or by semicolons if one of them has commas itself. */
function dealsIn(text: string): string[] {
  return text.split(text.includes(";") ? ";" : ",").map((one) => one.trim()).filter(Boolean);
}

/** The deals with one more. */
function withDeal(deals: string, deal: string): string {
  const mark = deals.includes(";") || deal.includes(",") ? ";" : ",";
  const all = [...dealsIn(deals), deal].join(`${mark} `);
  return mark === ";" && !all.includes(";") ? `${all};` : all;
}

function askedFor(): Asked {
  if (queryValue("game") === "") return SEED;
  return {
    game: queryValue("game"),
    algorithm: queryValue("algorithm") || "cfr+",
    deals: queryValue("deals"),
    iterations: queryValue("iterations"),
  };
}

function WalkForm(props: {
  asked: Asked;
  /** While something is typed; it is shown when the form is submitted. */
  onType: (asked: Asked) => void;
  onShow: (asked: Asked) => void;
  onTooLarge: (asked: Asked) => void;
  /** What is shown of this game: its deals can be chosen from. */
  found: Found | null;
  /** Whether what was asked for last could not be shown: a deal is then added to those that are. */
  refused: boolean;
}): JSX.Element {
  const { asked, onType, onShow, found } = props;
  const walk = found?.walk;
  const whole = props.refused && found ? found.asked : asked;
  const { games, own, error: unreachable } = useStudyGames();
  const { algorithms } = useAlgorithms();
  const deals = walk?.possible_deals ?? [];
  const chosen = algorithms.find((one) => one.name === asked.algorithm);
  const large = games.some((one) => one.name === asked.game && one.too_large !== null); // other parameters the server checks
  const choose = (game: string, info: GameInfo) => {
    const next = { ...asked, game, deals: "" };
    if (game === info.name && info.too_large !== null) props.onTooLarge(next);
    else onShow(next);
  };
  return (
    <form
      class="panel form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!large) onShow(asked);
      }}
    >
      <div class="row">
        <GameChoice games={games} own={own} first={asked.game} onChange={choose} solving />
        <label>
          Algorithm
          <select value={asked.algorithm} onChange={(event) => (large ? onType : onShow)({ ...asked, algorithm: event.currentTarget.value })}>
            {(algorithms.length > 0 ? algorithms : [{ name: asked.algorithm }]).map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          Deals, one per iteration
          <input
            value={asked.deals}
            placeholder="empty: all deals at once"
            onInput={(event) => onType({ ...asked, deals: event.currentTarget.value })}
          />
        </label>
        <label>
          Iterations (more than deals: they come again in turn)
          <input
            type="number"
            min={1}
            max={20}
            value={asked.iterations}
            placeholder="one per deal"
            onInput={(event) => onType({ ...asked, iterations: event.currentTarget.value })}
          />
        </label>
        <button type="submit" class="action primary" disabled={large} aria-describedby={large ? "too-large" : undefined}>
          Show
        </button>
      </div>
      {chosen && <p class="quiet">{chosen.summary}</p>}
      {walk && deals.length > 0 && (
        <div class="deals" role="group" aria-label="Add a deal">
          <span class="quiet">Add a deal:</span>
          {deals.map((deal) => (
            <button type="button" class="step" key={deal} onClick={() => onShow({ ...whole, deals: withDeal(whole.deals, deal) })}>
              {deal}
            </button>
          ))}
          {walk.deal_count > deals.length && (
            <span class="quiet">
              and {(walk.deal_count - deals.length).toLocaleString("en")} more, which you can type
            </span>
          )}
        </div>
      )}
      {unreachable && (
        <p class="error" role="alert">
          {unreachable}
        </p>
      )}
    </form>
  );
}

/** ``from``: the step to begin with. */
function Steps(props: { walk: Walk; from: number; onStep: (at: number) => void }): JSX.Element {
  const { walk } = props;
  const { steps } = walk;
  const [at, setAt] = useState(() => Math.min(steps.length - 1, props.from));
  useLayoutEffect(() => props.onStep(at), [at]);
  const move = (change: number) => setAt(Math.min(steps.length - 1, Math.max(0, at + change)));
  usePageKeys((event) => {
    const change = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (change === undefined || scrollsSideways(event)) return;
    event.preventDefault();
    move(change);
  });
  const step = steps[at]!;
  const go = (to: WalkStep) => setAt(steps.indexOf(to));
  const used = asUsedAt(steps, step, walk.traversals);
  const goTo = (infoset: string) =>
    setAt(steps.findIndex((one) => one.iteration === step.iteration && one.infoset === infoset));
  return (
    <>
      <div class="stepper" role="group" aria-label="Steps">
        <button type="button" class="action" onClick={() => move(-1)} disabled={at === 0} data-testid="previous">
          ← Previous
        </button>
        <button type="button" class="action primary" onClick={() => move(1)} disabled={at === steps.length - 1} data-testid="next">
          Next →
        </button>
        <input
          type="range"
          aria-label="Step"
          min={0}
          max={steps.length - 1}
          value={at}
          onInput={(event) => setAt(Number(event.currentTarget.value))}
        />
        <span role="status" data-testid="where">
          Step {at + 1} of {steps.length} · iteration {step.iteration}
          {step.deal !== null && ` · deal ${step.deal}`} <span class="quiet keys-note">(keys ← →)</span>
        </span>
      </div>
      {walk.left_out > 0 && <p class="quiet">{walk.left_out} more steps are left out.</p>}
      <div class="walk-layout">
        <section class="panel" aria-label="Situation">
          <h2>
            <code>{step.infoset}</code>, player {step.player}
          </h2>
          <WalkTree steps={used} current={step} go={goTo} />
          {step.sentences.map((sentence, k) => (
            <p key={k}>
              <Sentence text={sentence} />
            </p>
          ))}
          <Inputs steps={steps} used={used} at={at} go={go} />
        </section>
        <section class="panel" aria-label="Numbers">
          <NumbersTable step={step} />
          <Worked step={step} formulas={walk.formulas} />
        </section>
      </div>
      <p class="quiet" data-testid="ground-rules">
        {walk.ground_rules} The steps go from the root down; values are computed from the end of the game upwards, so a step may use
        those of later steps. The tree shows the strategies that this step computes with.
      </p>
      <NamesNote spec={walk.game} players={walk.players} />
      <Standing walk={walk} at={at} go={go} />
    </>
  );
}

/** Names in backquotes are written as code. */
function Sentence(props: { text: string }): JSX.Element {
  return <>{props.text.split("`").map((part, k) => (k % 2 === 1 ? <code key={k}>{part}</code> : part))}</>;
}

/** What every information set of the steps so far will play next, and the average strategy of the last whole iteration. */
function Standing(props: { walk: Walk; at: number; go: (step: WalkStep) => void }): JSX.Element {
  const { walk, at } = props;
  const { steps } = walk;
  const latest = new Map(steps.slice(0, at + 1).map((step) => [step.infoset, step]));
  const { iteration } = steps[at]!;
  const end = steps[at + 1]?.iteration !== iteration;
  const whole = end ? iteration : iteration - 1;
  const average = walk.averages[whole - 1];
  const title = end ? `The strategies at the end of iteration ${iteration}` : "The strategies after this step";
  return (
    <section class="panel" data-testid="standing">
      <h2>{title}</h2>
      <p class="quiet">
        {walk.averaging}
        {whole === 0 && " It is shown at the end of the iteration."}
        {whole === 1 && " In iteration 1 every action is played equally often, so the average after it is the same."}
      </p>
      <Scroll label={title}>
        <table class="standing">
          <thead>
            <tr>
              <th>information set</th>
              <th>regrets</th>
              <th class="bar-cell">next strategy</th>
              {average && <th class="bar-cell">average strategy after iteration {whole}</th>}
            </tr>
          </thead>
          <tbody>
            {[...latest.values()].slice(-60).map((step) => (
              <tr key={step.infoset}>
                <td>
                  <button type="button" class="step" onClick={() => props.go(step)}>
                    {step.infoset}
                  </button>
                </td>
                <td>
                  {signedColumn(step.cumulative_regret).map((text, k) => (
                    <span key={k}>
                      {k > 0 && ", "}
                      <span class="nowrap">
                        {step.actions[k]} {text}
                      </span>
                    </span>
                  ))}
                </td>
                <td class="bar-cell">
                  <NumberedMix actions={step.actions} shares={step.next_strategy} />
                </td>
                {average && (
                  <td class="bar-cell" data-average={step.infoset}>
                    <NumberedMix actions={step.actions} shares={average[step.infoset]!} />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}
