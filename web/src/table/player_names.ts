// How the players of a game are called on its page.
import { PERSON } from "../live_game";
import { upper } from "../values";

/** A name for every seat: "You" for our own, the agent's name or "The other player"; players with the same name are told
 * apart by their seats. */
export function playerNames(players: readonly string[], seats: readonly string[], me: number | null): string[] {
  const others = players.filter((_, seat) => seat !== me);
  return players.map((player, seat) => {
    if (seat === me) return "You";
    const same = others.filter((other) => other === player).length > 1;
    if (player === PERSON) return others.length > 1 || me === null ? upper(seats[seat]!) : "The other player";
    const name = upper(player.replaceAll("_", " "));
    return same ? `${name} (${seats[seat]})` : name;
  });
}
