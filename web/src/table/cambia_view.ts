// Cambia as the server sends it, and which cards an action is about.
import type { Action } from "../live_game";
import type { Face } from "./card_face";

export type TableCard = { face: Face | null; seen_by: number[] };

export type CambiaView = {
  kind: "cambia";
  player: number | null;
  step: number;
  phase: string;
  actor: number;
  turn: number;
  most_turns: number;
  caller: number | null;
  hands: TableCard[][];
  drawn: Face | null;
  holding: boolean;
  /** Whether that card was taken from the discard, and not drawn from the stock. */
  from_discard: boolean;
  discard: Face[];
  discarded: number;
  stock: number;
  /** Cards that a wrong snap costs. */
  penalty: number;
  /** Whether the hand of whoever calls Cambia can no longer be touched. */
  locked: boolean;
  /** Whether everybody is asked to snap after every discard; else only who could snap a matching card. */
  snap_always: boolean;
  looked: { own: number; other: number; slot: number } | null;
  totals: number[] | null;
  values: { card: string; points: number; ability: string }[];
  /** What just happened, in the words of `filled`. */
  news?: string;
};

/** A text of the server with names in it: "{1}" stands for player 1. */
export const filled = (text: string, names: readonly string[]): string =>
  text.replace(/\{(\d+)\}/g, (_, player: string) => names[Number(player)] ?? player);

/** A card on the table: whose, and in which place. */
export type Place = `${number}:${number}`;
export const place = (player: number, slot: number): Place => `${player}:${slot}`;

export type CardAction = Action & {
  /** The cards to click, in this order; empty for a plain button. */
  places: Place[];
};

/** Find the cards in an action's text, such as "swap 2 with other 3" or "look +1 0". */
export function cardAction(one: Action, me: number, players: number): CardAction {
  const other = (who: string, slot: string): Place =>
    place(who === "other" ? 1 - me : (me + Number(who)) % players, Number(slot));
  const own = (slot: string): Place => place(me, Number(slot));
  const text = one.action;
  let found: RegExpMatchArray | null;
  if ((found = text.match(/^(?:swap|look) (\d+) (?:with|and) (other|\+\d+) (\d+)$/))) {
    return { ...one, places: [own(found[1]!), other(found[2]!, found[3]!)] };
  }
  if ((found = text.match(/^(?:replace|look own|snap own) (\d+)$/)) || (found = text.match(/^move (\d+) to gap/))) {
    return { ...one, places: [own(found[1]!)] };
  }
  if ((found = text.match(/^(?:look|snap) (other|\+\d+) (\d+)$/))) {
    return { ...one, places: [other(found[1]!, found[2]!)] };
  }
  return { ...one, places: [] };
}

/** Whether a card is known to be of another rank than the discard: nobody would snap it. */
export function isWrongSnap(view: CambiaView, at: Place): boolean {
  const [player, slot] = at.split(":").map(Number);
  const known = view.hands[player!]?.[slot!]?.face;
  const top = view.discard.at(-1);
  return view.phase === "snap" && !!known && !!top && known.name[0] !== top.name[0];
}
