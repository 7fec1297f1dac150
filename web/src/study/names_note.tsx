// How the pages of solvers name players and information sets of a game.
import type { JSX } from "preact";
import { readValues, useGames, type GameInfo } from "../games";

const MOST_NAMED = 4;

/** Which player each number means: "Player 0 is the first player, player 1 the second player". */
function numbering(spec: string, info: GameInfo | undefined): string {
  const players = Number(readValues(spec)["players"] ?? info?.players ?? 2);
  const seats = (info?.seats ?? ["first player", "second player"]).slice(0, Math.min(players, MOST_NAMED));
  const named = seats.map((seat, number) => (number === 0 ? `Player 0 is the ${seat}` : `player ${number} the ${seat}`));
  return named.join(", ") + (players > MOST_NAMED ? ", and so on" : "");
}

export function NamesNote(props: { spec: string }): JSX.Element {
  const { games } = useGames();
  const info = games.find((one) => one.name === props.spec.split("(")[0]);
  const reading = info?.reading;
  return (
    <p class="quiet" data-testid="names-note">
      {numbering(props.spec, info)}. An information set is a situation as the player who decides knows it
      {reading ? <>. It is named by what the player knows: {reading}.</> : "."}
    </p>
  );
}
