// A finished game of any kind, for its players and for those who open it by a link or from a file.
import type { JSX } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { resultText } from "../chess/status";
import { pageOf, titleOf } from "../games";
import { noteGame, SPECTATOR } from "../keys";
import type { LiveGame } from "../live_game";
import { usePageName } from "../page_name";
import { CambiaReview } from "../table/cambia_review";
import { HandReview } from "../table/hand_review";
import { sentence } from "../values";
import { ChessReview } from "./review";
import { useReview } from "./review_data";

export function FinishedGame({ id, live }: { id: string; live: LiveGame }): JSX.Element {
  const { review, error } = useReview(id, live.key);
  const over = live.over!;
  const kind = review?.plies[0]?.full.kind;
  const game = (review?.game ?? "").split("(")[0]!;
  usePageName(game && titleOf(game), game && pageOf(game));
  useLayoutEffect(() => {
    if (!review || live.seat !== SPECTATOR) return;
    noteGame(id, { game: review.game, players: review.players.join(" against "), result: sentence(over.reason) });
  }, [id, review]);
  return (
    <>
      <p class="status result" role="status" aria-live="polite" data-testid="status">
        {live.seat === SPECTATOR ? sentence(over.reason) : resultText(over.returns, live.seat, over.reason)}
      </p>
      {error && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      {review === null && !error && <p class="loading">Loading the whole game…</p>}
      {review && kind === "chess" && <ChessReview id={id} live={live} review={review} />}
      {review && kind === "cambia" && <CambiaReview review={review} me={live.seat === SPECTATOR ? null : live.seat} />}
      {review && kind !== "chess" && kind !== "cambia" && (
        <>
          <p>{review.returns.map((value, seat) => `${review.seats[seat]} (${review.players[seat]}): ${value}`).join(", ")}</p>
          <HandReview review={review} me={live.seat === SPECTATOR ? null : live.seat} />
        </>
      )}
    </>
  );
}
