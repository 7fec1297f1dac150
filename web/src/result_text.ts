// How a game ended for one of its players, in one line.

export function resultText(returns: readonly number[], seat: number, reason: string): string {
  const mine = returns[seat] ?? 0;
  const best = Math.max(...returns);
  const outcome = mine === 0 && best === 0 ? "A draw" : mine === best ? "You won" : "You lost";
  let plain = reason.replace(/^(\w+ wins|Drawn): /, "").replace(/\.$/, "");
  // Whoever resigns, or has no time left, loses alone.
  if (outcome === "You lost") plain = plain.replace(/^.* (resigned|ran out of time)$/, "you $1");
  return plain === "the game is over" ? `${outcome}.` : `${outcome}: ${plain}.`;
}
