// After a game: play again with the sides swapped, or make another kind of game.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { findSetup } from "./keys";
import { invitation, makeGame, turned } from "./new_game";
import { Link, navigate } from "./router";

export function Rematch(props: { id: string; newGame: string }): JSX.Element {
  const [link, setLink] = useState("");
  const [made, setMade] = useState("");
  const [error, setError] = useState("");
  const setup = findSetup(props.id);
  const again = async () => {
    if (!setup) return;
    try {
      const { request, seat } = turned(setup, props.id);
      const next = await makeGame(request, seat);
      const person = request.seats.findIndex((one, number) => one.agent === undefined && number !== seat);
      if (person < 0) navigate(`/game/${next.id}`);
      else {
        setLink(invitation(next, person));
        setMade(next.id);
      }
    } catch (problem) {
      setError(String((problem as Error).message));
    }
  };
  return (
    <div class="row controls">
      {setup && (
        <button type="button" class="action primary" data-testid="rematch" onClick={() => void again()}>
          Rematch, sides swapped
        </button>
      )}
      <Link to={props.newGame} class="button">
        New game
      </Link>
      {link && (
        <label class="wide">
          Send this link to your friend
          <input class="link" readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
          <button type="button" class="action primary" onClick={() => navigate(`/game/${made}`)}>
            Go to the board
          </button>
        </label>
      )}
      {error && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
