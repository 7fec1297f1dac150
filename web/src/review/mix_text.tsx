// The probabilities from which an agent drew the action that led to a moment of a finished game.
import type { JSX } from "preact";
import type { ReviewPly } from "./review_data";
import { percent } from "../values";

const SHOWN = 6;

export function MixText({ ply }: { ply: ReviewPly }): JSX.Element | null {
  const mix = ply.mix ?? [];
  if (mix.length === 0) return null;
  const words = mix.slice(0, SHOWN).map((one) => `${one.label} ${percent(one.probability)}`);
  const rest = mix.length - SHOWN;
  if (mix.length === 1) {
    return (
      <p class="quiet mix-text" data-testid="agent-mix">
        The agent always plays <strong>{ply.label}</strong> here.
      </p>
    );
  }
  return (
    <p class="quiet mix-text" data-testid="agent-mix">
      <strong>{ply.label}</strong> was chosen at random with these probabilities: {words.join(", ")}
      {rest > 0 && ` and ${rest} more`}.
    </p>
  );
}
