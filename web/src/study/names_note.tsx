// How the pages of solvers name players and information sets of a game.
import type { JSX } from "preact";
import { useGames, type GameInfo } from "../games";

/** Seats of games that do not name theirs, such as those of one's own; more are not listed. */
const SEATS = ["first player", "second player", "third player", "fourth player"];

/** Which player each number means: "Player 0 is the first player, player 1 the second player". */
function numbering(players: number, info: GameInfo | undefined): string {
  const seats = (info?.seats ?? SEATS).slice(0, Math.min(players, SEATS.length));
  const named = seats.map((seat, number) => (number === 0 ? `Player 0 is the ${seat}` : `player ${number} the ${seat}`));
  return named.join(", ") + (players > SEATS.length ? ", and so on" : "");
}

export function NamesNote(props: { spec: string; players: number }): JSX.Element {
  const { games } = useGames();
  const info = games.find((one) => one.name === props.spec.split("(")[0]);
  const reading = info?.reading;
  return (
    <p class="quiet" data-testid="names-note">
      {numbering(props.players, info)}. An information set is a situation as the player who decides knows it
      {reading ? <>. It is named by what the player knows: {reading}.</> : "."}
    </p>
  );
}
