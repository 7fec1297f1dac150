// Any game: its table or what it writes for people, its news, and a button for every action.
import type { JSX } from "preact";
import { resultText } from "../chess/status";
import { Clock } from "../clocks";
import { GameControls } from "../game_controls";
import { titleOf, useGames } from "../games";
import type { LiveGame, ViewEvent } from "../live_game";
import { useReview } from "../review/review_data";
import { ActionButtons } from "./action_buttons";
import { EquilibriumPanel } from "./equilibrium_panel";
import { EventLog } from "./event_log";
import { HandOver } from "./hand_over";
import { pokerLines, type PokerView } from "./poker_table";
import { Shown } from "./shown_view";
import { TextReview } from "./text_review";

export function TextTable({ id, live }: { id: string; live: LiveGame }): JSX.Element {
  const start = live.start!;
  const now = live.views.at(-1)!;
  const game = start.game.split("(")[0]!;
  const info = useGames().games.find((one) => one.name === game);
  const names = start.players.map((name, seat) => (seat === start.seat ? "You" : `${start.seats[seat]} (${name})`));
  const lines =
    now.view.kind === "poker"
      ? pokerLines(now as unknown as ViewEvent<PokerView>, names)
      : live.views.map((one) => one.news).filter(Boolean);
  const status = live.over
    ? resultText(live.over.returns, start.seat, live.over.reason)
    : live.turn
      ? "Your turn."
      : start.players.length === 2
        ? "Waiting for the other player."
        : "Waiting for the others.";
  return (
    <div class="table-layout" data-n={live.over?.n ?? now.n}>
      <div class="panel">
        <h2>
          {titleOf(game)} <span class="quiet">you are the {start.seats[start.seat]}</span>
        </h2>
        <Shown view={now.view} names={names} />
        <p class="status" role="status" aria-live="polite" data-testid="status">
          {status} {live.notice}
        </p>
        {live.over && <p>{live.over.returns.map((value, seat) => `${names[seat]}: ${value}`).join(", ")}</p>}
        {!live.over && <ActionButtons actions={live.actions} act={live.act} />}
        <p class="error one-line" role="alert">
          {live.refused}
        </p>
        <HandOver id={id} live={live} newGame={`/play/${game}`} />
      </div>
      <div class="side">
        {now.clock?.map((seconds, seat) => (
          <p key={seat}>
            {start.players[seat]}{" "}
            <Clock name={start.players[seat]!} seconds={seconds} running={!live.over && now.turn === (seat === start.seat)} since={now.arrived} />
          </p>
        ))}
        {lines.length > 0 && <EventLog lines={lines} />}
        {!live.over && <GameControls live={live} draws={false} />}
        {info?.rules && (
          <details class="quiet">
            <summary>Rules</summary>
            {info.rules}
          </details>
        )}
        {live.over && start.players.length === 2 && <EquilibriumPanel id={id} live={live} reading={info?.reading ?? ""} />}
        {live.over && <WholeHand id={id} seatKey={live.key} />}
      </div>
    </div>
  );
}

function WholeHand(props: { id: string; seatKey: string }): JSX.Element | null {
  const { review } = useReview(props.id, props.seatKey);
  return review && <TextReview review={review} />;
}
