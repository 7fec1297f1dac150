// The one line that says where the game stands, for eyes and for screen readers.
import type { LiveGame } from "../live_game";
import { resultText } from "../result_text";
import type { KnownPly } from "./history";
import { pieceName } from "./squares";

export function statusText(live: LiveGame, last: KnownPly | undefined): string {
  const { start, over } = live;
  if (!start) return "Connecting…";
  if (over) return resultText(over.returns, start.seat, over.reason);
  if (live.waiting.length > 0) return waitingText(live);
  if (!live.turn) return "The other side is thinking. You may set a move in advance.";
  if (last && last.by !== start.seat && last.taken) {
    return `Your turn. You lost your ${pieceName(last.taken)} on ${last.squares[0]}.`;
  }
  if (last && last.by !== start.seat && last.appeared.length > 0) {
    const pieces = last.appeared.map((one) => `a ${pieceName(one.piece)} on ${one.square}`);
    return `Your turn. Now you see ${pieces.join(" and ")}.`;
  }
  if (last && last.by !== start.seat && last.squares.length > 0) {
    const unknown = last.san.match(/^\?([a-h][1-8])$/);
    if (unknown) return `Your turn. Something that you cannot name came to ${unknown[1]}.`;
    return `Your turn. You saw the other side's move: ${last.san}.`;
  }
  return last ? "Your turn. The other side has moved, unseen." : "Your turn.";
}

/** What to say while the friend has never been here. */
function waitingText(live: LiveGame): string {
  const what = live.invites ? "Waiting for your friend to open the link" : "Waiting for your friend to come to the board";
  const clocks = live.start?.clock ? ": the clocks start then." : ".";
  return live.turn ? `Your turn. ${what}${clocks}` : `${what}${clocks} You may set a move in advance.`;
}

/** What two people may use in their game. */
export function helpRule(casual: boolean): string {
  return casual
    ? "In this game both of you may look into the fog with a search, and ask to take moves back."
    : "In this game nobody looks into the fog with a search, and no moves are taken back.";
}
