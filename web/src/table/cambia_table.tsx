// A game of Cambia: click cards or buttons; the log tells in words what happened.
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { GameControls } from "../game_controls";
import { useGames } from "../games";
import type { LiveGame, ViewEvent } from "../live_game";
import { RulesText } from "../rules_text";
import { resultText } from "../result_text";
import { useReview } from "../review/review_data";
import { InvitationAgain, WatchLink } from "../watch_link";
import { ActionButtons } from "./action_buttons";
import { CambiaBoard } from "./cambia_board";
import { CambiaReview } from "./cambia_review";
import { cardAction, filled, isWrongSnap, type CambiaView, type Place } from "./cambia_view";
import { withFailures } from "./drawing";
import { EventLog } from "./event_log";
import { HandOver } from "./hand_over";
import { playerNames } from "./player_names";
import { SnapClock } from "./snap_clock";

const HINTS: Record<string, (view: CambiaView) => string> = {
  start: () => "Draw a card, or call Cambia if you think that your hand is the lowest.",
  drawn: () => "Click the card of yours that it replaces, or discard it.",
  snap: (view) =>
    `Click a card of the same rank as the discard to snap it, or do not snap. Cards that you know to have another rank cannot be clicked. A wrong card goes back, is seen by all, and costs you ${view.penalty === 1 ? "1 more card" : `${view.penalty} more cards`}. ${view.snap_always ? "Everybody is asked after every discard." : "You are asked only when some card that you may snap matches."}`,
  gap: () => "Click the card of yours that fills the gap.",
};

/** Milliseconds after a question to snap in which a click or a key may still be meant for the move before. */
const SNAP_LOCK = 500;

/** Whether a question to snap has just been asked, so that cards, buttons and keys do not answer it yet. */
function useSnapLock(now: ViewEvent<CambiaView>): boolean {
  const [open, setOpen] = useState(0); // the number of the view that can be answered
  const asked = now.turn && now.view.phase === "snap";
  useEffect(() => {
    if (!asked) return;
    const timer = setTimeout(() => setOpen(now.n), SNAP_LOCK);
    return () => clearTimeout(timer);
  }, [now.n, asked]);
  return asked && open !== now.n;
}

export function CambiaTable({ id, live }: { id: string; live: LiveGame }): JSX.Element {
  const start = live.start!;
  const now = live.views.at(-1) as ViewEvent<CambiaView>;
  const info = useGames().games.find((one) => one.name === "cambia");
  const { view } = now;
  const me = start.seat;
  const [first, setFirst] = useState<{ n: number; at: Place } | null>(null); // the card that was clicked first
  const picked = first?.n === now.n ? first.at : null;
  const names = playerNames(start.players, start.seats, me);
  const actions = useMemo(
    () => live.actions.map((one) => cardAction({ ...one, label: filled(one.label, names) }, me, view.hands.length)),
    [live.actions],
  );

  const locked = useSnapLock(now);
  const choices = new Map<Place, string>();
  for (const one of locked ? [] : actions) {
    const at = one.places.length === 2 && picked === one.places[0] ? one.places[1] : one.places[0];
    if (at !== undefined && !isWrongSnap(view, at)) choices.set(at, one.places.length === 2 && at === one.places[0] ? "choose it first" : one.label);
  }
  if (picked) for (const one of actions) if (one.places.length === 2) choices.set(one.places[0]!, "choose it instead");
  const choose = (at: Place) => {
    const whole = actions.find((one) => one.places.at(-1) === at && (one.places.length === 1 || one.places[0] === picked));
    if (whole) live.act(whole.action);
    else setFirst(picked === at ? null : { n: now.n, at });
  };
  const plain = (action: string) => (locked ? undefined : actions.find((one) => one.action === action));
  const piles = { stock: plain("draw"), discard: plain("take discard") ?? plain("discard") };
  const told = (views: number) => toldSoFar((live.views as ViewEvent<CambiaView>[]).slice(0, views)).map((line) => filled(line, names));
  const failures = live.failures.map(({ by, views }) => ({ by, after: told(views).length }));
  const pair = actions.some((one) => one.places.length === 2);
  return (
    <div class="table-layout" data-n={live.over?.n ?? now.n}>
      <div class="panel">
        <p class="quiet">
          {view.phase === "over" ? `Over after ${view.turn} turns.` : `Turn ${view.turn + 1} of at most ${view.most_turns}; after the last one the hands are counted.`}
        </p>
        <CambiaBoard view={view} names={names} choices={choices} picked={picked} onChoose={choose} piles={piles} onAct={live.act} />
        <p class="board-legend quiet">
          {view.phase === "over" ? "All cards are up." : "Face up are the cards that you have seen."} #: its place in the hand (after a
          snap the cards behind it move up). pts: what it counts.{view.phase !== "over" && ` ${eyeMeaning(view)}`}
        </p>
        <p class="status" role="status" aria-live="polite" data-testid="status">
          {statusLine(live, view, names, pair, picked)}{" "}
          {/* While locked it takes its room, so that nothing moves when it can be read. */}
          {live.turn && !live.over && <span class={locked ? "unseen" : ""}>{HINTS[view.phase]?.(view)}</span>}
        </p>
        {!live.over && live.turn && now.seconds !== undefined && <SnapClock key={now.n} seconds={now.seconds} since={now.arrived} />}
        {!live.over && (
          <ActionButtons actions={actions.filter((one) => one.places.length === 0)} act={live.act} locked={locked} />
        )}
        <p class="error one-line" role="alert">
          {live.refused}
        </p>
        <HandOver id={id} live={live} newGame="/cambia" />
      </div>
      <div class="side">
        <EventLog lines={withFailures(told(live.views.length), failures, names)} />
        {!live.over && <GameControls live={live} draws={false} />}
        {!live.over && start.casual && (
          <p class="quiet">Take back: you decide again, but the same cards come again in the same order.</p>
        )}
        {!live.over && <InvitationAgain id={id} seats={start.seats} />}
        {!live.over && <WatchLink id={id} />}
        <CardValues view={view} />
        <RulesText info={info} spec={start.game} />
        {live.over && <WholeGame id={id} live={live} />}
      </div>
    </div>
  );
}

/** What an eye on a card means: somebody other than we has seen it. */
function eyeMeaning(view: CambiaView): string {
  if (view.hands.length > 2) return "An eye: a player other than you has seen the card, who is named when you point at the eye.";
  return "An eye on a card of yours: the other player has seen it. On a card of the other player: its owner has seen it.";
}

/** The news of all views, without those of moves that were taken back. */
function toldSoFar(views: readonly ViewEvent<CambiaView>[]): string[] {
  const told: { step: number; line: string }[] = [];
  for (const { view } of views) {
    while (told.length > 0 && told.at(-1)!.step >= view.step) told.pop();
    told.push({ step: view.step, line: view.news ?? "" });
  }
  return told.map((one) => one.line).filter(Boolean);
}

function statusLine(live: LiveGame, view: CambiaView, names: string[], pair: boolean, picked: Place | null): string {
  const me = live.start!.seat;
  if (live.over) {
    const mine = live.over.returns[me] ?? 0;
    const outcome = mine > 0 ? "You won" : mine < 0 ? "You lost" : "A draw";
    if (!view.totals) return resultText(live.over.returns, me, live.over.reason);
    const totals = view.totals.map((total, player) => `${names[player]} ${total}`).join(", ");
    return `${outcome}. Points: ${totals}.`;
  }
  const called = view.caller === me ? " You called Cambia, so you can no longer snap." : "";
  if (!live.turn) return `${names[view.actor]} ${live.waiting.includes(view.actor) ? "has not opened the link yet" : "is thinking"}.${called}`;
  if (view.phase === "ability") {
    if (view.looked) return "You have looked at the two marked cards. Swap them?";
    if (pair) return picked ? "Now choose the other player's card." : "Choose one of your cards first.";
    return "Choose the card to look at.";
  }
  return view.phase === "snap" ? "Snap?" : "Your turn.";
}

function CardValues({ view }: { view: CambiaView }): JSX.Element {
  return (
    <details class="panel">
      <summary>Card values</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Card</th>
            <th scope="col">Points</th>
            <th scope="col">When discarded</th>
          </tr>
        </thead>
        <tbody>
          {view.values.map((one) => (
            <tr key={one.card}>
              <td>{one.card}</td>
              <td>{one.points}</td>
              <td class="words">{one.ability}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

function WholeGame(props: { id: string; live: LiveGame }): JSX.Element | null {
  const { review } = useReview(props.id, props.live.key);
  return review && <CambiaReview review={review} me={props.live.seat} />;
}
