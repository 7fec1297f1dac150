// Buttons of a running game: resign, draw, take-back; and the answer to an offer.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { FocusButton } from "./focus_button";
import type { LiveGame } from "./live_game";

export function GameControls({ live, draws }: { live: LiveGame; draws: boolean }): JSX.Element {
  const [asking, setAsking] = useState(false);
  const start = live.start!;
  const offer = live.offer;
  const decided = live.views.at(-1)?.decided === true;
  const resign = (
    <button type="button" class="action" data-testid="resign" onClick={() => setAsking(true)}>
      Resign
    </button>
  );
  if (offer && offer.by !== start.seat && !asking) {
    const what = offer.what === "draw" ? "offers a draw" : "asks to take a move back";
    return (
      <div class="row controls" role="group" aria-label="Offer">
        <span>The other side {what}.</span>
        <button type="button" class="action primary" onClick={() => live.send({ type: "accept" })}>
          Accept
        </button>
        <button type="button" class="action" onClick={() => live.send({ type: "decline" })}>
          Decline
        </button>
        {resign}
      </div>
    );
  }
  if (asking) {
    return (
      <div class="row controls" role="group" aria-label="Resign?">
        <span>Resign this game?</span>
        <FocusButton
          class="action primary"
          data-testid="confirm-resign"
          onClick={() => {
            setAsking(false);
            live.send({ type: "resign" });
          }}
        >
          Yes, resign
        </FocusButton>
        <button type="button" class="action" onClick={() => setAsking(false)}>
          No, play on
        </button>
      </div>
    );
  }
  return (
    <div class="row controls" role="group" aria-label="Game">
      {resign}
      {draws && (
        <button
          type="button"
          class="action"
          data-testid="draw"
          disabled={offer !== null}
          onClick={() => live.send({ type: "offer", what: "draw" })}
        >
          {offer?.what === "draw" ? "Draw offered" : "Offer a draw"}
        </button>
      )}
      {start.casual && (
        <button
          type="button"
          class="action"
          data-testid="takeback"
          title={
            decided ? "Back to before your last decision; what you have seen since, you have seen" : "You have decided nothing yet"
          }
          disabled={offer !== null || !decided}
          onClick={() => live.send({ type: "offer", what: "takeback" })}
        >
          {offer?.what === "takeback" ? "Take-back asked" : "Take back"}
        </button>
      )}
    </div>
  );
}
