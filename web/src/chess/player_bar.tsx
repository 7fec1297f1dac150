// One player's line at the edge of the board: name, what was taken from the other, clock.
import type { JSX } from "preact";
import { Clock } from "../clocks";
import { Piece } from "./pieces";
import { isWhite, pieceName } from "./squares";

export function PlayerBar(props: {
  name: string;
  colour: string;
  /** Pieces that this player is known to have taken. */
  taken: string[];
  clock: { seconds: number; running: boolean; since: number } | null;
  toMove: boolean;
  /** For another person: whether their page is open; left out where nobody knows. */
  here?: boolean;
}): JSX.Element {
  const words = props.taken.map((piece) => `${isWhite(piece) ? "white" : "black"} ${pieceName(piece)}`);
  return (
    <div class={`player-bar ${props.toMove ? "to-move" : ""}`}>
      <span class={`side-dot ${props.colour}`} aria-hidden="true" />
      <span class="player-name">
        {props.name} <span class="quiet">({props.colour})</span>
        {props.here !== undefined && (
          <span class="quiet" data-testid="presence">
            {props.here ? " is here" : " is not here"}
          </span>
        )}
      </span>
      <span class="taken" role="img" aria-label={words.length > 0 ? `has taken: ${words.join(", ")}` : "has taken nothing that you know of"}>
        {props.taken.map((piece, number) => (
          <Piece piece={piece} key={number} />
        ))}
      </span>
      {props.clock && <Clock name={props.name} {...props.clock} />}
    </div>
  );
}
