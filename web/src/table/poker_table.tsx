// Kuhn and Leduc poker: cards, chips and the betting in words.
import type { JSX } from "preact";
import type { ViewEvent } from "../live_game";
import { Card } from "./card";

export type PokerView = {
  kind: "poker";
  player?: number;
  cards: (string | null)[];
  /** The shared card: null in a game without one, empty before it is dealt. */
  board: string | null;
  paid: number[];
  moves: { seat: number | null; text: string }[];
};

const face = (name: string | null) => (name ? { name: name[0]! + name.slice(1).toUpperCase() } : null);

export function PokerBoard(props: { view: PokerView; names: string[]; small?: boolean }): JSX.Element {
  const { view, names } = props;
  const me = view.player ?? 0;
  const order = view.cards.map((_, number) => (me + 1 + number) % view.cards.length); // ourselves at the bottom
  const pot = view.paid.reduce((sum, one) => sum + one, 0);
  const seat = (player: number) => (
    <section class="hand" key={player} aria-label={`Card of ${names[player]}`}>
      <h3>
        {names[player]} <span class="quiet">put in {view.paid[player]}</span>
      </h3>
      <Card face={face(view.cards[player] ?? null)} name={`card of ${names[player]}`} />
    </section>
  );
  return (
    <div class="cambia">
      {order.slice(0, -1).map(seat)}
      <div class="middle">
        {view.board !== null && (
          <figure>
            <Card face={face(view.board)} name="the shared card" empty={view.board === ""} />
            <figcaption>shared card</figcaption>
          </figure>
        )}
        <p class="pot">
          In the pot: <strong>{pot}</strong>
        </p>
      </div>
      {seat(order.at(-1)!)}
    </div>
  );
}

/** The betting as lines of a log. */
export function pokerLines(now: ViewEvent<PokerView>, names: string[]): string[] {
  return now.view.moves.map((one) =>
    one.seat === null ? one.text : `${names[one.seat]} ${names[one.seat] === "You" ? one.text.replace(/s$/, "") : one.text}.`,
  );
}
