// A finished hand of any game, step by step, with everything in it.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { roundOf } from "../games";
import { MixText } from "../review/mix_text";
import type { ReviewDocument } from "../review/review_data";
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
  const who = ply.seat === null || ply.seat < 0 ? "" : `${names[ply.seat]}: `;
  return (
    <section class="panel small" aria-label={title}>
      <h2>{title}</h2>
      <p class="quiet">
        {ply.label ? who + ply.label : "the beginning"}
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
      {moves && <Moves review={review} names={names} at={at} onChoose={setAt} />}
    </section>
  );
}

/** Everything that was done, to be chosen from. */
function Moves(props: { review: ReviewDocument; names: string[]; at: number; onChoose: (at: number) => void }): JSX.Element {
  const box = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const row = box.current?.querySelector<HTMLElement>("[aria-current]")?.parentElement;
    if (box.current && row) box.current.scrollTop = row.offsetTop - box.current.clientHeight / 2;
  }, [props.at]);
  return (
    <ol class="move-list in-words" ref={box} tabIndex={0} aria-label="Moves" data-testid="moves">
      {props.review.plies.map(
        (ply, number) =>
          ply.label && (
            <li key={number}>
              <button type="button" class="move" aria-current={number === props.at ? "step" : undefined} onClick={() => props.onChoose(number)}>
                {ply.seat === null || ply.seat < 0 ? "Chance" : props.names[ply.seat]}: {ply.label}
              </button>
            </li>
          ),
      )}
    </ol>
  );
}
