// A finished game of any kind, for its players and for those who open it by a link or from a file.
import type { JSX } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { pageOf, titleOf } from "../games";
import { findOrigin, noteGame, SPECTATOR } from "../keys";
import type { LiveGame } from "../live_game";
import { usePageName } from "../page_name";
import { viewParts } from "../registry";
import { resultText } from "../result_text";
import { Link } from "../router";
import { HandReview } from "../table/hand_review";
import { sentence, worth } from "../values";
import { playerNames } from "../table/player_names";
import { useReview, type ReviewDocument } from "./review_data";

/** How a game ended, for somebody who did not play: in games that say no more than that it is over, who won. */
function watchedResult(review: ReviewDocument | null, returns: readonly number[], reason: string): string {
  if (review === null || reason !== "the game is over") return sentence(reason);
  const best = Math.max(...returns);
  const winners = review.players.filter((_, seat) => returns[seat] === best);
  if (winners.length === returns.length) return "A draw.";
  const names = playerNames(review.players, review.seats, null).filter((_, seat) => returns[seat] === best);
  return `${names.join(" and ")} won.`;
}

/** What everybody won or lost: "Random (first player): +1, Equilibrium (second player): -1". */
function returnsText(review: ReviewDocument, me: number | null): string {
  const names = playerNames(review.players, review.seats, me);
  return review.returns.map((value, seat) => `${names[seat]} (${review.seats[seat]}): ${worth(value)}`).join(", ");
}

/** Which agents failed, and from which step on they played at random. */
function Failures({ review, me }: { review: ReviewDocument; me: number | null }): JSX.Element {
  const names = playerNames(review.players, review.seats, me);
  const last = review.plies.length - 1;
  return (
    <>
      {review.failures.filter(({ ply }) => ply < last).map(({ by, ply }) => (
        <p class="error" data-testid="failure" key={by}>
          {names[by]} failed and played at random from step {ply + 1} of {last} on.
        </p>
      ))}
    </>
  );
}

export function FinishedGame({ id, live }: { id: string; live: LiveGame }): JSX.Element {
  const { review, error } = useReview(id, live.key);
  const over = live.over!;
  const { Review } = viewParts(review?.plies[0]?.full.kind);
  const game = (review?.game ?? "").split("(")[0]!;
  usePageName(game && titleOf(game), game && pageOf(game));
  useLayoutEffect(() => {
    if (!review || live.seat !== SPECTATOR) return;
    noteGame(id, { game: review.game, players: review.players.join(" against "), result: sentence(over.reason) });
  }, [id, review]);
  const origin = findOrigin(id);
  return (
    <>
      {origin && (
        <p>
          <Link to={origin}>← Back to the match</Link>
        </p>
      )}
      <p class="status result" role="status" aria-live="polite" data-testid="status">
        {live.seat === SPECTATOR ? watchedResult(review, over.returns, over.reason) : resultText(over.returns, live.seat, over.reason)}
      </p>
      {review && <Failures review={review} me={live.seat === SPECTATOR ? null : live.seat} />}
      {error && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      {review === null && !error && <p class="loading">Loading the whole game…</p>}
      {review && Review && <Review id={id} live={live} review={review} />}
      {review && !Review && (
        <>
          <p>{returnsText(review, live.seat === SPECTATOR ? null : live.seat)}</p>
          <HandReview review={review} me={live.seat === SPECTATOR ? null : live.seat} moves />
        </>
      )}
    </>
  );
}
