// The probabilities from which an agent drew the action that led to a moment of a finished game.
import type { JSX } from "preact";
import type { ReviewPly } from "./review_data";
import { percent } from "../values";

const SHOWN = 6;

/** ``name``: how the agent is called here. */
export function MixText({ ply, name }: { ply: ReviewPly; name?: string }): JSX.Element | null {
  const mix = ply.mix ?? [];
  if (mix.length === 0) return null;
  const played = mix.findIndex((one) => one.label === ply.label);
  const listed = played < SHOWN ? mix : [mix[played]!, ...mix.filter((_, index) => index !== played)];
  const words = listed.slice(0, SHOWN).map((one) => `${one.label} ${percent(one.probability)}`);
  const rest = mix.length - SHOWN;
  if (mix.length === 1) {
    return (
      <p class="quiet mix-text" data-testid="agent-mix">
        {name ?? "The agent"} always plays <strong>{ply.label}</strong> here.
      </p>
    );
  }
  return (
    <p class="quiet mix-text" data-testid="agent-mix">
      {name ?? "The agent"} chose <strong>{ply.label}</strong> at random, with these probabilities: {words.join(", ")}
      {rest > 0 && ` and ${rest} more`}.
    </p>
  );
}
