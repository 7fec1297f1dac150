// Goofspiel: the prize, both hands as cards, and the prizes that were settled.
import type { JSX } from "preact";
import { usePageKeys } from "../page_keys";
import { Card } from "./card";
import { of, type Drawing } from "./drawing";

type Trick = { prize: number; bids: (number | null)[]; winner: number | null };

export type GoofspielView = {
  kind: "goofspiel";
  player: number | null;
  prize: number | null;
  prizes_left: number[];
  tricks: Trick[];
  /** Cards by seat; null: face down. */
  hands: (number | null)[][];
  /** The bids for the present prize, as far as we know them. */
  bids: (number | null)[];
  points: number[];
};

const face = (value: number | null) => (value === null ? null : { name: String(value) });

export function GoofspielBoard(props: Drawing<GoofspielView>): JSX.Element {
  const { view, names, actions, act } = props;
  const me = view.player ?? props.bottom ?? 0;
  const free = new Set(actions.map((one) => one.action));
  usePageKeys((event) => {
    if (free.has(event.key)) act(event.key);
  });
  const hand = (seat: number) => (
    <section class="hand" key={seat} aria-label={of(names[seat]!, "hand")}>
      <h3>
        {names[seat]} <span class="badge total">{points(view.points[seat]!)}</span>
      </h3>
      <div class="cards">
        {view.hands[seat]!.map((card, number) => {
          const bid = card !== null && card === view.bids[seat];
          return (
            <Card
              key={card ?? number}
              face={face(card)}
              name={of(names[seat]!, "card")}
              picked={bid}
              note={bid ? "your bid" : "bid it"}
              onChoose={seat === view.player && free.has(String(card)) ? () => act(String(card)) : undefined}
            />
          );
        })}
        {view.hands[seat]!.length === 0 && <span class="quiet">no cards left</span>}
      </div>
    </section>
  );
  return (
    <div class="cambia goofspiel">
      {hand(1 - me)}
      <div class="middle">
        <figure class="prize">
          <Card face={face(view.prize)} name="the prize" empty={view.prize === null} />
          <figcaption>{view.prize === null ? "no prize left" : `prize: ${points(view.prize)}`}</figcaption>
        </figure>
        {view.prizes_left.length > 0 && (
          <figure>
            <div class="cards tiny">
              {view.prizes_left.map((one) => (
                <Card key={one} face={face(one)} name="a prize to come" />
              ))}
            </div>
            <figcaption>still to come</figcaption>
          </figure>
        )}
      </div>
      {hand(me)}
      {view.tricks.length > 0 && <Tricks {...props} />}
    </div>
  );
}

const points = (count: number): string => `${count} ${count === 1 ? "point" : "points"}`;

function Tricks({ view, names }: Drawing<GoofspielView>): JSX.Element {
  return (
    <table class="tricks">
      <caption class="sr">The prizes so far</caption>
      <thead>
        <tr>
          <th scope="col">Prize</th>
          {names.map((name, seat) => (
            <th scope="col" key={seat}>
              {name === "You" ? "Your bid" : `${name}'s bid`}
            </th>
          ))}
          <th scope="col">Taken by</th>
        </tr>
      </thead>
      <tbody>
        {view.tricks.map((one) => (
          <tr key={one.prize}>
            <td>{one.prize}</td>
            {one.bids.map((bid, seat) => (
              <td key={seat}>{bid ?? (seat === one.winner ? "? (higher)" : "? (lower)")}</td>
            ))}
            <td>{one.winner === null ? "nobody" : names[one.winner] === "You" ? "you" : names[one.winner]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
