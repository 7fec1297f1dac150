// How a playing card is drawn and read out.

/** A card's name, such as "QH", and what it counts in games that count points. */
export type Face = { name: string; points?: number };

/** A card that is a plain number. */
const NUMBER = /^\d+$/;
const SUITS: Record<string, string> = { C: "♣", D: "♦", H: "♥", S: "♠" };
const SUIT_WORDS: Record<string, string> = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };
const RANK_WORDS: Record<string, string> = { A: "ace", T: "10", J: "jack", Q: "queen", K: "king", X: "joker" };

export function drawnFace(name: string): { rank: string; suit: string; red: boolean } {
  if (NUMBER.test(name)) return { rank: name, suit: "", red: false };
  const rank = name[0] === "T" ? "10" : name[0] === "X" ? "★" : name[0]!;
  const suit = name[0] === "X" ? "" : (SUITS[name[1] ?? ""] ?? "");
  return { rank, suit, red: /^.[DHR]/.test(name) };
}

export function faceWords(name: string): string {
  if (NUMBER.test(name)) return name;
  const rank = RANK_WORDS[name[0]!] ?? name[0]!;
  const suit = name[0] === "X" ? "" : SUIT_WORDS[name[1] ?? ""];
  return suit ? `${rank} of ${suit}` : rank;
}
