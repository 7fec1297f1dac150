// After a hand: what it brought, the score of all hands, and the next one.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { FocusButton } from "../focus_button";
import type { LiveGame } from "../live_game";
import { Link } from "../router";
import { typing } from "../typing";
import { useSeries } from "./series";

const signed = (value: number): string => (value > 0 ? "+" : "") + String(Math.round(100 * value) / 100);

export function HandOver(props: { id: string; live: LiveGame; newGame: string }): JSX.Element {
  const { live } = props;
  const { score, next } = useSeries(props.id, live);
  const [error, setError] = useState("");
  const [busy, setBusy] = useState(false);
  const over = live.over;
  const go = () => {
    if (!next || busy) return;
    setBusy(true);
    next().catch((problem: Error) => {
      setBusy(false);
      setError(problem.message);
    });
  };
  useEffect(() => {
    const keys = (event: KeyboardEvent) => {
      if (over && event.key === "n" && !typing(event)) go();
    };
    addEventListener("keydown", keys);
    return () => removeEventListener("keydown", keys);
  });
  return (
    <>
      {over && (
        <div class="row controls">
          {next && (
            <FocusButton class="action primary" data-testid="next-hand" disabled={busy} onClick={go}>
              Next hand (N)
            </FocusButton>
          )}
          <Link to={props.newGame} class="button">
            Change the game
          </Link>
        </div>
      )}
      {error && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      {score.hands > 0 && (
        <p class="score" data-testid="score">
          Score: <strong>{signed(score.total)}</strong> in {score.hands} {score.hands === 1 ? "hand" : "hands"}{" "}
          <span class="quiet">({score.returns.slice(-12).map(signed).join(" ")})</span>
        </p>
      )}
    </>
  );
}
