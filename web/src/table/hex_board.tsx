// Dark hex: a rhombus of hexagons whose coloured edges are the sides to connect, with the stones that we know.
import type { JSX } from "preact";
import type { Drawing } from "./drawing";
import { cellAttributes, useGridKeys } from "./grid";
import { hiddenCells, type HiddenBoardView } from "./hidden_cells";

export type HexView = HiddenBoardView & { kind: "hex" };

type Point = [number, number];

const MARKS = ["first", "second"] as const;
const WIDTH = Math.sqrt(3); // of a hexagon whose corners are 1 from its centre
const STEP = 1.5; // from the middle of a row to the next
const MARGIN = 1.1; // around the board, for the edges and their names
const CORNERS: Record<string, Point> = {
  top: [0, -1],
  upperRight: [WIDTH / 2, -0.5],
  lowerRight: [WIDTH / 2, 0.5],
  bottom: [0, 1],
  lowerLeft: [-WIDTH / 2, 0.5],
  upperLeft: [-WIDTH / 2, -0.5],
};
const HEXAGON = points(Object.values(CORNERS));

export function HexBoard(props: Drawing<HexView>): JSX.Element {
  const { view, names, actions, act } = props;
  const { columns, player } = view;
  const rows = view.squares.length / columns;
  const cells = hiddenCells(view, actions, {
    marks: MARKS,
    words: (seat, met) =>
      met ? "a stone of the other" : seat === player || names[seat] === "You" ? "your stone" : `a stone of ${names[seat]}`,
    can: "can be tried",
    drawn: () => <circle class="stone" r="0.5" cy="0.13" />,
  });
  const { at, grid, onKeyDown, onFocus } = useGridKeys<SVGSVGElement>(cells.length, columns, actions.length > 0);
  /** The centre of a hexagon; every row but the lowest begins half a hexagon further right than the one below it. */
  const centre = (row: number, column: number): Point => [WIDTH * (column + (rows - 1 - row) / 2), STEP * row];
  const wide = WIDTH * (columns + (rows - 1) / 2) + 2 * MARGIN;
  const high = STEP * (rows - 1) + 2 + 2 * MARGIN;
  const choose = (number: number) => cells[number]!.can && act(cells[number]!.square);
  return (
    <>
      <svg
        class="hex"
        viewBox={`${-WIDTH / 2 - MARGIN} ${-1 - MARGIN} ${wide} ${high}`}
        style={{ "--wide": wide }}
        role="grid"
        aria-label="The board"
        ref={grid}
        onKeyDown={(event) => {
          onKeyDown(event);
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          choose(at);
        }}
      >
        <Edges rows={rows} columns={columns} centre={centre} names={names} />
        {Array.from({ length: rows }, (_, row) => (
          <g role="row" key={row}>
            {cells.slice(row * columns, (row + 1) * columns).map((cell, column) => {
              const number = row * columns + column;
              return (
                <g
                  key={cell.square}
                  {...cellAttributes(cell, number === at)}
                  transform={`translate(${centre(row, column).join(" ")})`}
                  onFocus={() => onFocus(number)}
                  onClick={() => choose(number)}
                >
                  <polygon class="tile" points={HEXAGON} />
                  <text class="square-name" y="-0.6" aria-hidden="true">
                    {cell.square}
                  </text>
                  {cell.drawn}
                </g>
              );
            })}
          </g>
        ))}
      </svg>
      {player !== null && (
        <p class="board-legend quiet">
          Your stones are <strong class={`side-${MARKS[player]}`}>{player === 0 ? "green" : "orange"}</strong>: connect the{" "}
          {player === 0 ? "lower edge with the upper one" : "left edge with the right one"}. Of a grey square you know nothing; a
          dashed stone is one of the other that you ran into.
        </p>
      )}
    </>
  );
}

/** The four sides of the board in the colours of the players who connect them, with their names. */
function Edges(props: {
  rows: number;
  columns: number;
  centre: (row: number, column: number) => Point;
  names: readonly string[];
}): JSX.Element {
  const { rows, columns, centre, names } = props;
  const along = (row: (k: number) => Point, count: number, ...corners: string[]) =>
    points(
      Array.from({ length: count }, (_, k) => row(k)).flatMap(([x, y]) =>
        corners.map((name): Point => [x + CORNERS[name]![0], y + CORNERS[name]![1]]),
      ),
    );
  const lowest = rows - 1;
  const sides = [
    { seat: 0, line: along((k) => centre(0, k), columns, "upperLeft", "top", "upperRight") },
    { seat: 0, line: along((k) => centre(lowest, k), columns, "lowerLeft", "bottom", "lowerRight") },
    { seat: 1, line: along((k) => centre(lowest - k, 0), rows, "lowerLeft", "upperLeft") },
    { seat: 1, line: along((k) => centre(lowest - k, columns - 1), rows, "lowerRight", "upperRight") },
  ];
  const middle = (columns - 1) / 2;
  const [left, right] = [centre(lowest / 2, 0), centre(lowest / 2, columns - 1)];
  const slope = rows > 1 ? -60 : -90;
  const places = [
    { seat: 0, at: centre(0, middle), out: [0, -1.5], turn: 0, room: columns },
    { seat: 0, at: centre(lowest, middle), out: [0, 1.58], turn: 0, room: columns },
    { seat: 1, at: left, out: [-1.36, -0.74], turn: slope, room: rows },
    { seat: 1, at: right, out: [1.36, 0.8], turn: slope, room: rows },
  ];
  return (
    <g aria-hidden="true">
      {sides.map((one, number) => (
        <polyline class={`edge side-${MARKS[one.seat]}`} points={one.line} key={number} />
      ))}
      {places.map(({ seat, at, out, turn, room }, number) => (
        <text
          class={`edge-name side-${MARKS[seat]}`}
          transform={`translate(${at[0] + out[0]!} ${at[1] + out[1]!}) rotate(${turn})`}
          key={number}
        >
          {shortened(names[seat]!, 7 * room)}
        </text>
      ))}
    </g>
  );
}

const shortened = (name: string, longest: number): string => (name.length > longest ? `${name.slice(0, longest - 1)}…` : name);

function points(corners: readonly Point[]): string {
  return corners.map((point) => point.map((one) => one.toFixed(3)).join(",")).join(" ");
}
