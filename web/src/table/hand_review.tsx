// A finished hand of any game, step by step, with everything in it.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { roundOf } from "../games";
import { MovesInWords } from "../review/moves_in_words";
import { MixText } from "../review/mix_text";
import type { ReviewDocument, ReviewPly } from "../review/review_data";
import { Stepper } from "../review/stepper";
import { sentence } from "../values";
import { playerNames } from "./player_names";
import { isDrawnApart, Shown } from "./shown_view";

/** ``moves``: whether to list the moves, for a page that has no log of them. */
export function HandReview({ review, me, moves }: { review: ReviewDocument; me: number | null; moves?: boolean }): JSX.Element | null {
  const [at, setAt] = useState(review.plies.length - 1); // the first table is often an empty one
  const ply = review.plies[at];
  if (!ply) return null;
  const names = playerNames(review.players, review.seats, me);
  const title = `The whole ${roundOf(review.game)}`;
  const line = ({ label, seat }: ReviewPly) => label && (seat === null || seat < 0 ? label : `${names[seat]}: ${label}`);
  return (
    <section class="panel small" aria-label={title}>
      <h2>{title}</h2>
      <p class="quiet">
        {line(ply) || "the beginning"}
        {at === review.plies.length - 1 && review.reason !== "the game is over" && `. ${sentence(review.reason)}`}
      </p>
      <MixText ply={ply} name={names[ply.seat ?? -1]} />
      {ply.full.kind === "text" && !ply.full.text ? (
        ply.views.map((view, seat) => (
          <p key={seat}>
            {names[seat]} saw: <code>{String(view.text ?? "").trim() || "nothing"}</code>
          </p>
        ))
      ) : (
        <Shown view={ply.full} names={names} actions={[]} act={() => undefined} bottom={me ?? 0} />
      )}
      {isDrawnApart(ply.full) && (
        <div class="knew">
          {ply.views.map((view, seat) => (
            <figure key={seat}>
              <figcaption>What {names[seat] === "You" ? "you" : names[seat]} knew</figcaption>
              <Shown view={view} names={names} actions={[]} act={() => undefined} />
            </figure>
          ))}
        </div>
      )}
      <Stepper at={at} last={review.plies.length - 1} onStep={setAt} />
      {moves && (
        <MovesInWords
          lines={review.plies.map(line)}
          at={at}
          onChoose={setAt}
        />
      )}
    </section>
  );
}
