// Kuhn and Leduc poker: cards, chips and the betting in words.
import type { JSX } from "preact";
import { Card } from "./card";
import { of, type Drawing } from "./drawing";

export type PokerView = {
  kind: "poker";
  player?: number;
  cards: (string | null)[];
  /** The shared card: null in a game without one, empty before it is dealt. */
  board: string | null;
  paid: number[];
};

const face = (name: string | null) => (name ? { name: name[0]! + name.slice(1).toUpperCase() } : null);

export function PokerBoard(props: Drawing<PokerView>): JSX.Element {
  const { view, names } = props;
  const me = view.player ?? props.bottom ?? 0;
  const order = view.cards.map((_, number) => (me + 1 + number) % view.cards.length); // ourselves at the bottom
  const pot = view.paid.reduce((sum, one) => sum + one, 0);
  const seat = (player: number) => (
    <section class="hand" key={player} aria-label={of(names[player]!, "card")}>
      <h3>
        {names[player]} <span class="quiet">put in {view.paid[player]}</span>
      </h3>
      <Card face={face(view.cards[player] ?? null)} name={of(names[player]!, "card")} />
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
