// After a game: play again with the sides swapped, or make another kind of game.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { findSetup, keepKey, keepSetup, type Setup } from "./keys";
import type { LiveGame } from "./live_game";
import { makeGame, turned } from "./new_game";
import { Link, navigate } from "./router";
import { play as sound } from "./sounds";

function onlyAgents(setup: Setup): boolean {
  return setup.request.seats.every((one, seat) => one.agent !== undefined || seat === setup.seat);
}

/** Whether the other side asks and waits for our answer. */
export function rematchAsked(live: LiveGame): boolean {
  const offered = live.rematch;
  return offered !== null && offered.id === undefined && offered.by !== undefined && offered.by !== live.start?.seat;
}

export function Rematch(props: {
  id: string;
  live: LiveGame;
  newGame: string;
  /** Whether we asked for it, or accepted. */
  asked: boolean;
  onAsked: () => void;
}): JSX.Element {
  const { live, asked } = props;
  const [error, setError] = useState("");
  const setup = findSetup(props.id);
  const offered = live.rematch;
  const theirs = offered?.by !== undefined && offered.by !== live.start?.seat;
  useEffect(() => {
    // Both people want it: the server has made the game and says which seat is ours.
    if (!asked || offered?.id === undefined || offered.key === undefined || offered.seat === undefined) return;
    keepKey(offered.id, offered.seat, offered.key);
    if (setup) keepSetup(offered.id, turned(setup, props.id));
    navigate(`/game/${offered.id}`);
  }, [offered, asked]);
  useEffect(() => {
    if (theirs) sound("move");
  }, [theirs]);
  const again = async () => {
    props.onAsked();
    if (!setup || !onlyAgents(setup)) {
      live.send({ type: "rematch" });
      return;
    }
    try {
      const { request, seat } = turned(setup, props.id);
      navigate(`/game/${(await makeGame(request, seat)).id}`);
    } catch (problem) {
      setError((problem as Error).message);
    }
  };
  return (
    <div class="row controls">
      {theirs && !asked && (
        <p class="rematch-asked" role="status">
          Your friend asks for a rematch.
        </p>
      )}
      <button type="button" class="action primary" data-testid="rematch" disabled={asked && !error} onClick={() => void again()}>
        {theirs ? "Accept the rematch" : asked ? "Waiting for the other side…" : "Rematch, sides swapped"}
      </button>
      <Link to={props.newGame} class="button">
        New game
      </Link>
      {(error || live.refused) && (
        <p class="error" role="alert">
          {error || live.refused}
        </p>
      )}
    </div>
  );
}
