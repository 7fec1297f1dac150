// Battleship: the other's sea to shoot at, and the own one with the fleet.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Drawing } from "./drawing";
import { of } from "./drawing";
import { Grid, type Cell } from "./grid";

type Shot = { square: string; result: "water" | "hit" | "sunk" };
type SeaView = {
  /** Squares of every ship; null: hidden. */
  ships: string[][] | null;
  shots: Shot[];
};

export type BattleshipView = {
  kind: "battleship";
  player: number | null;
  columns: number;
  squares: string[];
  /** The length of each ship. */
  fleet: number[];
  seas: SeaView[];
  /** The lengths of own ships that have no place yet. */
  to_place: number[];
  /** Own shots that are left. */
  left: number;
};

export function BattleshipBoard(props: Drawing<BattleshipView>): JSX.Element {
  const { view, names } = props;
  const me = view.player ?? props.bottom ?? 0;
  const placing = view.to_place.length > 0;
  const order = [1 - me, me];
  return (
    <>
      <div class="seas">
        {order.map((owner) => (
          <figure key={owner}>
            <figcaption>{of(names[owner]!, "sea")}</figcaption>
            {placing && owner === view.player && props.actions.length > 0 ? (
              <Shipyard key={view.to_place.length} {...props} owner={owner} />
            ) : (
              <Sea {...props} owner={owner} shooting={!placing && owner !== view.player} />
            )}
          </figure>
        ))}
      </div>
      {view.player !== null && <p class="board-legend quiet">{advice(view)}</p>}
    </>
  );
}

function advice(view: BattleshipView): string {
  const length = view.to_place[0];
  if (length === 1) return "Click a square to place your ship there.";
  const more = view.to_place.length > 1 ? ` Then come ships of ${view.to_place.slice(1).join(" and ")}.` : "";
  if (length !== undefined) {
    return `Place a ship of ${length} squares: click the square of one end, then one of the marked squares for the other end.${more}`;
  }
  const rest = view.left === 1 ? "1 shot" : `${view.left} shots`;
  const lengths = view.fleet.join(" and ");
  const squares = lengths === "1" ? "square" : "squares";
  return `You have ${rest} left. The other's fleet: ${view.fleet.length === 1 ? "a ship of" : "ships of"} ${lengths} ${squares}.`;
}

type SeaProps = Drawing<BattleshipView> & { owner: number };

function Sea(props: SeaProps & { shooting: boolean }): JSX.Element {
  const targets = new Set(props.shooting ? props.actions.map((one) => one.action) : []);
  const cells = seaCells(props.view, props.owner).map((cell) => {
    const can = targets.has(cell.square);
    return { ...cell, can, words: can ? `${cell.words}, can be shot at` : cell.words };
  });
  const label = of(props.names[props.owner]!, "sea");
  return <Grid label={label} columns={props.view.columns} cells={cells} onChoose={props.act} keys={targets.size > 0} class="sea" />;
}

/** The own sea while a ship is placed: one end, then the other. */
function Shipyard(props: SeaProps): JSX.Element {
  const { view, actions } = props;
  const [end, setEnd] = useState<string | null>(null);
  const places = actions.map((one) => ({ action: one.action, ends: one.action.split("-") }));
  const from = (square: string) => places.filter((one) => one.ends.includes(square));
  const other = (ends: string[], square: string) => (ends[0] === square ? ends.at(-1)! : ends[0]!);
  const found = new Map(end === null ? [] : from(end).map((one) => [other(one.ends, end), one.action]));
  const cells = seaCells(view, props.owner).map((cell): Cell => {
    const { square } = cell;
    const can = end === null ? from(square).length > 0 : found.has(square) || square === end;
    const how = end === null ? "can be an end of the ship" : square === end ? "one end of the ship" : "can be the other end";
    const marked = end !== null && found.has(square) ? "end" : "";
    return { ...cell, can, class: `${cell.class} ${marked}`, picked: square === end, words: can ? `${cell.words}, ${how}` : cell.words };
  });
  const choose = (square: string) => {
    const single = places.find((one) => one.action === square);
    const whole = found.get(square) ?? single?.action;
    if (whole) props.act(whole);
    else setEnd(square === end ? null : square);
  };
  return <Grid label="Your sea" columns={view.columns} cells={cells} onChoose={choose} keys class="sea" />;
}

const RESULTS = { water: "water", hit: "hit", sunk: "sunk" };

function seaCells(view: BattleshipView, owner: number): Cell[] {
  const sea = view.seas[owner]!;
  const shots = new Map(sea.shots.map((one) => [one.square, one.result]));
  return view.squares.map((square, number) => {
    const ship = sea.ships?.find((one) => one.includes(square));
    const shot = shots.get(square);
    const hidden = sea.ships === null && shot === undefined;
    const words = [ship ? "ship" : hidden ? "unknown" : sea.ships ? "water" : "", shot ? RESULTS[shot] : ""];
    const spoken = words.filter((word, at) => word && words.indexOf(word) === at).join(", ");
    return {
      square,
      words: spoken,
      piece: shot ?? (ship ? "ship" : undefined),
      class: hidden ? "fog" : "",
      can: false,
      drawn: (
        <>
          {ship && <Hull part={partOf(view, ship, number)} />}
          {shot && <ShotMark result={shot} />}
        </>
      ),
    };
  });
}

/** Which sides of a square its ship goes on to. */
function partOf(view: BattleshipView, ship: string[], number: number): string {
  const { columns, squares } = view;
  const has = (at: number, same: boolean) => same && ship.includes(squares[at] ?? "");
  const row = Math.floor(number / columns);
  const sides = [
    has(number - 1, Math.floor((number - 1) / columns) === row) && "left",
    has(number + 1, Math.floor((number + 1) / columns) === row) && "right",
    has(number - columns, true) && "up",
    has(number + columns, true) && "down",
  ];
  return sides.filter(Boolean).join(" ");
}

const Hull = ({ part }: { part: string }): JSX.Element => <span class={`hull ${part}`} aria-hidden="true" />;

function ShotMark({ result }: { result: Shot["result"] }): JSX.Element {
  return (
    <svg class={`shot ${result}`} viewBox="0 0 20 20" aria-hidden="true">
      {result === "water" ? (
        <>
          <circle cx="10" cy="10" r="2.2" />
          <circle class="ring" cx="10" cy="10" r="5.5" />
        </>
      ) : (
        <path d="M10 1.5 12 7l5.5-2.5L14.5 10l3.5 4.5-6-1L10 18.5 8 13.5l-6 1L5.5 10 2.5 4.5 8 7z" />
      )}
      {result === "sunk" && <path class="cross" d="M7.5 7.5l5 5M12.5 7.5l-5 5" />}
    </svg>
  );
}
