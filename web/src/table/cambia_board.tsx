// The table of Cambia: everybody's hands, stock, discard and the card that is held.
import type { JSX } from "preact";
import type { Action } from "../live_game";
import { counted } from "../values";
import { Card } from "./card";
import { of } from "./drawing";
import { place, type CambiaView, type Place } from "./cambia_view";

export function CambiaBoard(props: {
  view: CambiaView;
  names: string[];
  /** What can be clicked now. */
  choices?: ReadonlyMap<Place, string>;
  picked?: Place | null;
  onChoose?: (at: Place) => void;
  /** What a click on the stock and on the discard does now. */
  piles?: { stock?: Action; discard?: Action };
  onAct?: (action: string) => void;
  /** The seat that is drawn at the bottom where the view is nobody's own. */
  bottom?: number;
}): JSX.Element {
  const { view } = props;
  const me = view.player;
  const count = view.hands.length;
  const order = view.hands.map((_, number) => ((me ?? props.bottom ?? 0) + 1 + number) % count); // ourselves last, at the bottom
  const got = view.from_discard ? "took" : "drew";
  const pile = (one: Action | undefined) => one && { note: one.label, onChoose: () => props.onAct?.(one.action) };
  return (
    <div class="cambia">
      {order.slice(0, -1).map((player) => (
        <Hand {...props} player={player} key={player} />
      ))}
      <div class="middle">
        <figure>
          <Card face={null} name={`the stock of ${view.stock} cards`} empty={view.stock === 0} {...pile(props.piles?.stock)} />
          <figcaption>stock: {view.stock}</figcaption>
        </figure>
        <figure>
          <Card face={view.discard.at(-1) ?? null} name="the discard" empty={view.discard.length === 0} {...pile(props.piles?.discard)} />
          <figcaption>discard: {view.discarded}</figcaption>
        </figure>
        {view.holding && (
          <figure class="held">
            <Card face={view.drawn} name={view.actor === me ? `the card you ${got}` : `the card ${view.from_discard ? "taken" : "drawn"}`} />
            <figcaption>{view.actor === me ? `you ${got}` : `${props.names[view.actor]} ${got}`}</figcaption>
          </figure>
        )}
      </div>
      <Hand {...props} player={order.at(-1)!} />
    </div>
  );
}

function Hand(props: Parameters<typeof CambiaBoard>[0] & { player: number }): JSX.Element {
  const { view, player, names } = props;
  const looked = view.looked;
  const total = view.totals?.[player];
  return (
    <section class={`hand ${view.actor === player && view.phase !== "over" ? "acting" : ""}`} aria-label={of(names[player]!, "cards")}>
      <h3>
        {names[player]}
        {view.caller === player && <span class="badge">called Cambia{view.locked && view.phase !== "over" ? ": these cards are locked" : ""}</span>}
        {total !== undefined && <span class="badge total">{counted(total, "point")}</span>}
      </h3>
      <div class="cards">
        {view.hands[player]!.map((card, slot) => {
          const at = place(player, slot);
          const others = card.seen_by.filter((who) => who !== view.player);
          const king =
            looked !== null && ((player === view.actor && slot === looked.own) || (player === looked.other && slot === looked.slot));
          const choice = props.choices?.get(at);
          return (
            <Card
              key={slot}
              face={card.face}
              slot={slot}
              name={`${of(names[player]!, "card")} ${slot + 1}`}
              seen={view.phase === "over" ? undefined : others.map((who) => names[who]).join(", ")}
              picked={king || props.picked === at}
              note={choice}
              onChoose={choice === undefined ? undefined : () => props.onChoose?.(at)}
            />
          );
        })}
        {view.hands[player]!.length === 0 && <span class="quiet">no cards</span>}
      </div>
    </section>
  );
}
