// A finished game of Cambia, step by step, with all cards up and what the agents had in mind.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { MovesInWords } from "../review/moves_in_words";
import { MixText } from "../review/mix_text";
import type { ReviewDocument, ReviewPly } from "../review/review_data";
import { Stepper } from "../review/stepper";
import { upper } from "../values";
import { CambiaBoard } from "./cambia_board";
import { filled, type CambiaView } from "./cambia_view";
import { playerNames } from "./player_names";

/** ``moves``: whether to list the moves, for a page that has no log of them. */
export function CambiaReview({ review, me, moves }: { review: ReviewDocument; me: number | null; moves?: boolean }): JSX.Element | null {
  const [at, setAt] = useState(review.plies.length - 1); // the first table is an empty one
  const ply = review.plies[at];
  if (!ply) return null;
  const names = playerNames(review.players, review.seats, me);
  const line = ({ label, seat }: ReviewPly) => label && upper(filled((seat === null || seat < 0 ? "" : `${names[seat]}: `) + label, names));
  const mix = ply.mix?.map((one) => ({ ...one, label: filled(one.label, names) }));
  return (
    <section class="panel small" aria-label="The whole game">
      <h2>The whole game, all cards up</h2>
      <p class="quiet">{line(ply) || "the beginning"}</p>
      <MixText ply={{ ...ply, mix, label: filled(ply.label, names) }} name={names[ply.seat ?? -1]} />
      <CambiaBoard view={ply.full as unknown as CambiaView} names={names} bottom={me ?? 0} />
      <Stepper at={at} last={review.plies.length - 1} onStep={setAt} />
      {moves && <MovesInWords lines={review.plies.map(line)} at={at} onChoose={setAt} />}
    </section>
  );
}
