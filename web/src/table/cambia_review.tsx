// A finished game of Cambia, step by step, with all cards up and what the agents had in mind.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { MixText } from "../review/mix_text";
import type { ReviewDocument } from "../review/review_data";
import { Stepper } from "../review/stepper";
import { CambiaBoard } from "./cambia_board";
import type { CambiaView } from "./cambia_view";

export function CambiaReview({ review }: { review: ReviewDocument }): JSX.Element | null {
  const [at, setAt] = useState(review.plies.length - 1);
  const ply = review.plies[at];
  if (!ply) return null;
  const names = review.players.map((name, seat) => `Player ${seat} (${name})`);
  const who = ply.seat === null ? "" : ply.seat < 0 ? "" : `${names[ply.seat]}: `;
  return (
    <section class="panel small" aria-label="The whole game">
      <h2>The whole game, all cards up</h2>
      <p class="quiet">{ply.label ? who + ply.label : "the beginning"}</p>
      <MixText ply={ply} />
      <CambiaBoard view={ply.full as unknown as CambiaView} names={names} />
      <Stepper at={at} last={review.plies.length - 1} onStep={setAt} />
    </section>
  );
}
