// How the pages of solvers name players and information sets of a game.
import type { JSX } from "preact";
import { useGames } from "../games";

export function NamesNote(props: { spec: string }): JSX.Element {
  const { games } = useGames();
  const reading = games.find((one) => one.name === props.spec.split("(")[0])?.reading;
  return (
    <p class="quiet" data-testid="names-note">
      Player 0 is the first player, player 1 the second. An information set is a situation as the player who decides knows it
      {reading ? <>. It is named by what the player knows: {reading}.</> : "."}
    </p>
  );
}
