// Any game: its drawn table or what it writes for people, its news, and a button for every action that is not drawn.
import type { JSX } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { Clock } from "../clocks";
import { GameControls } from "../game_controls";
import { roundOf, titleOf, useGames } from "../games";
import { viewParts } from "../registry";
import { resultText } from "../result_text";
import { RulesText } from "../rules_text";
import { worth } from "../values";
import type { LiveGame } from "../live_game";
import { useReview, type ReviewDocument } from "../review/review_data";
import { InvitationAgain, WatchLink } from "../watch_link";
import { ActionButtons } from "./action_buttons";
import { EquilibriumPanel } from "./equilibrium_panel";
import { EventLog } from "./event_log";
import { HandOver } from "./hand_over";
import { logLines, withFailures, type LogLine } from "./drawing";
import { HandReview } from "./hand_review";
import { playerNames } from "./player_names";
import { buttonsFor, isDrawn, Shown } from "./shown_view";

/** The names of all but us: "Greedy and the other player". */
function others(names: readonly string[]): string {
  const found = names.filter((one) => one !== "You").map((one) => one.replace(/^The other/, "the other"));
  return found.length > 1 ? `${found.slice(0, -1).join(", ")} and ${found.at(-1)}` : found.join("");
}

/** How many lines the log of a view has. */
const linesOf = (view: { [field: string]: unknown } | undefined): number => (view?.moves as LogLine[] | undefined)?.length ?? 0;

export function GameTable({ id, live }: { id: string; live: LiveGame }): JSX.Element {
  const start = live.start!;
  const now = live.views.at(-1)!;
  const [review, setReview] = useState<ReviewDocument | null>(null);
  const game = start.game.split("(")[0]!;
  const info = useGames().games.find((one) => one.name === game);
  const names = playerNames(start.players, start.seats, start.seat);
  const last = review?.plies.at(-1)?.full;
  const told = (last?.moves ?? now.view.moves) as LogLine[] | undefined;
  const begun = now.view.turn_line as LogLine | null | undefined; // what our turn itself tells us
  const all = told && begun && live.turn && !live.over ? [...told, begun] : told;
  const lines = all ? logLines(all, names) : live.views.map((one) => one.news).filter(Boolean);
  const toldBefore = (count: number) => {
    const before = live.views.slice(0, count);
    return all ? linesOf(before.at(-1)?.view) : before.filter((one) => one.news).length;
  };
  const failures = live.failures.map(({ by, views }) => {
    if (!last?.moves) return { by, after: toldBefore(views) };
    const found = review?.failures.find((one) => one.by === by); // the log of the review has lines that we were not told
    return { by, after: found ? linesOf(review?.plies[found.ply]?.full) : lines.length };
  });
  const log = withFailures(lines, failures, names);
  const shown = last && isDrawn(last) ? last : now.view; // after the end nothing is hidden
  const late = live.waiting.length > 0;
  const status = live.over
    ? resultText(live.over.returns, start.seat, live.over.reason)
    : live.turn
      ? [lines.at(-1), viewParts(now.view.kind).table?.hint?.(buttonsFor(now.view, live.actions)) ?? "Your turn."].filter(Boolean).join(" ")
      : start.players.length === 2
        ? `Waiting for the other player${late ? " to open the link" : ""}.`
        : `Waiting for ${late ? "somebody who has not opened the link yet" : "the others"}.`;
  return (
    <div class="table-layout" data-n={live.over?.n ?? now.n}>
      <div class="table-main">
        <div class="panel">
          <h2>
            {titleOf(game)} <span class="quiet">
              you are the {start.seats[start.seat]}, against {others(names)}
            </span>
          </h2>
          <Shown view={shown} names={names} actions={live.over ? [] : live.actions} act={live.act} bottom={start.seat} />
          <p class="status" role="status" aria-live="polite" data-testid="status">
            {status} {live.notice}
          </p>
          {live.over && <p>{live.over.returns.map((value, seat) => `${names[seat]}: ${worth(value)}`).join(", ")}</p>}
          {!live.over && <ActionButtons actions={buttonsFor(now.view, live.actions)} act={live.act} />}
          <p class="error one-line" role="alert">
            {live.refused}
          </p>
          {!live.over && start.players.length === 2 && info?.agents.includes("equilibrium") && (
            <p class="quiet" data-testid="advice-later">
              After the {roundOf(game)} you see what an equilibrium would have done in your place.
            </p>
          )}
          <HandOver id={id} live={live} newGame={`/play/${game}`} />
        </div>
        {live.over && start.players.length === 2 && (
          <EquilibriumPanel id={id} live={live} names={names} review={review} reading={info?.reading ?? ""} />
        )}
      </div>
      <div class="side">
        {now.clock?.map((seconds, seat) => (
          <p key={seat}>
            {start.players[seat]}{" "}
            <Clock name={start.players[seat]!} seconds={seconds} running={!live.over && !late && now.turn === (seat === start.seat)} since={now.arrived} />
          </p>
        ))}
        {log.length > 0 && <EventLog lines={log} />}
        {!live.over && <GameControls live={live} draws={false} />}
        {!live.over && <InvitationAgain id={id} seats={start.seats} />}
        {!live.over && <WatchLink id={id} />}
        <RulesText info={info} spec={start.game} listing />
        {live.over && <WholeHand id={id} live={live} onLoaded={setReview} />}
      </div>
    </div>
  );
}

function WholeHand(props: { id: string; live: LiveGame; onLoaded: (review: ReviewDocument) => void }): JSX.Element | null {
  const { review } = useReview(props.id, props.live.key);
  useLayoutEffect(() => {
    if (review) props.onLoaded(review);
  }, [review]);
  return review && <HandReview review={review} me={props.live.seat} />;
}
