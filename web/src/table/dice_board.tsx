// Liar's dice: dice with pips, the ladder of all bids, and the call.
import type { JSX } from "preact";
import { of, type Drawing } from "./drawing";
import { Grid, type Cell } from "./grid";

export type DiceView = {
  kind: "liars_dice";
  player: number | null;
  sides: number;
  /** A number for each die of each player; null: hidden. */
  dice: (number | null)[][];
  /** Such as "2x5" for two fives. */
  bids: string[];
  /** Who called the last bid a lie. */
  called: number | null;
  /** How many dice bear the last bid out, once all are shown. */
  count: number | null;
};

/** Places of the pips of each face, on a grid of three by three. */
const PIPS = ["", "4", "08", "048", "0268", "02468", "023568", "0234568", "01235678", "012345678"];

export function DiceBoard(props: Drawing<DiceView>): JSX.Element {
  const { view, names, actions } = props;
  const me = view.player ?? props.bottom ?? 0;
  const last = view.bids.at(-1);
  const face = last === undefined ? 0 : Number(last.split("x")[1]);
  const counts = (die: number | null) => view.called !== null && (die === face || die === view.sides);
  const hand = (seat: number) => (
    <section class="hand" key={seat} aria-label={of(names[seat]!, "dice")}>
      <h3>
        {names[seat]}
        {view.called === seat && <span class="badge">called it a lie</span>}
        {view.called !== null && view.called !== seat && <span class="badge total">bid {last!.replace("x", " × ")}</span>}
      </h3>
      <div class="cards">
        {view.dice[seat]!.map((die, number) => (
          <Die key={number} face={die} bright={counts(die)} />
        ))}
      </div>
    </section>
  );
  return (
    <div class="cambia dice-table">
      {hand(1 - me)}
      <Ladder {...props} />
      {hand(me)}
      {view.called === null && view.player !== null && (
        <p class="board-legend quiet">
          {actions.length > 0 && last === undefined
            ? "Make the first bid: how many of all dice show a face, at least. "
            : actions.length > 0
              ? "Bid higher, or call the last bid a lie. "
              : ""}
          There are {view.dice.flat().length} dice in all. A {view.sides} counts as every face.
        </p>
      )}
    </div>
  );
}

/** All bids from the lowest to the highest: those that were made, the last one, and those that are possible now. */
function Ladder(props: Drawing<DiceView>): JSX.Element {
  const { view, actions } = props;
  const labels = new Map(actions.map((one) => [one.action, one.label]));
  const dice = view.dice.flat().length;
  const made = new Map(view.bids.map((bid, number) => [bid, number % 2]));
  const cells = Array.from({ length: dice * view.sides }, (_, number): Cell => {
    const count = Math.floor(number / view.sides) + 1;
    const face = (number % view.sides) + 1;
    const square = `${count}x${face}`;
    const by = made.get(square);
    const last = square === view.bids.at(-1);
    const words = labels.get(square) ?? (by === undefined ? "not possible now" : `bid by ${props.names[by]}`);
    return {
      square,
      words,
      piece: by === undefined ? undefined : last ? "last" : "bid",
      class: last ? "last" : by !== undefined ? "made" : "",
      can: labels.has(square),
      drawn: (
        <>
          <span class="times" data-text={`${count}×`} aria-hidden="true" />
          <Pips face={face} />
        </>
      ),
    };
  });
  return (
    <div class="ladder-frame">
      <Grid label="All bids, the lowest first" columns={view.sides} cells={cells} onChoose={props.act} keys={labels.size > 0} class="ladder" />
    </div>
  );
}

function Die({ face, bright }: { face: number | null; bright: boolean }): JSX.Element {
  return (
    <span
      class={`die ${face === null ? "hidden-die" : ""} ${bright ? "bright" : ""}`}
      role="img"
      aria-label={face === null ? "a hidden die" : `a die that shows ${face}${bright ? ", it counts" : ""}`}
      data-piece={face ?? undefined}
    >
      {face === null ? <span class="question" data-text="?" aria-hidden="true" /> : <Pips face={face} />}
    </span>
  );
}

function Pips({ face }: { face: number }): JSX.Element {
  return (
    <svg class="pips" viewBox="0 0 30 30" aria-hidden="true">
      {[...PIPS[face]!].map((place) => (
        <circle key={place} cx={6 + 9 * (Number(place) % 3)} cy={6 + 9 * Math.floor(Number(place) / 3)} r="3" />
      ))}
    </svg>
  );
}
