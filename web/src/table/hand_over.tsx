// After a hand: what it brought, the score of all hands, and the next one.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { FocusButton } from "../focus_button";
import { roundOf } from "../games";
import type { LiveGame } from "../live_game";
import { usePageKeys } from "../page_keys";
import { useOneTask } from "../requests";
import { Link } from "../router";
import { worth } from "../values";
import { useSeries } from "./series";

export function HandOver(props: { id: string; live: LiveGame; newGame: string }): JSX.Element {
  const { live } = props;
  const { score, next } = useSeries(props.id, live);
  const [error, setError] = useState("");
  const [busy, alone] = useOneTask();
  const over = live.over;
  const round = roundOf(live.start!.game);
  const go = () => {
    if (next) alone(next).catch((problem: Error) => setError(problem.message));
  };
  usePageKeys((event) => {
    if (over && event.key === "n") go();
  });
  return (
    <>
      {over && (
        <div class="row controls">
          {next && (
            <FocusButton class="action primary" data-testid="next-hand" disabled={busy} onClick={go}>
              Next {round} (N)
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
          Score: <strong>{worth(score.total)}</strong> in {score.hands} {score.hands === 1 ? round : `${round}s`}
          {score.hands > 1 && <span class="quiet">. The last ones: {score.returns.slice(-12).map(worth).join(", ")}.</span>}
        </p>
      )}
    </>
  );
}
