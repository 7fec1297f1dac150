// Looking into the fog: the search's belief, its mix of moves and its value, for our own side.
import type { JSX } from "preact";
import { TreeGrowth } from "./tree_growth";
import { ghostsOf, safetyText, shadesOf, type ChessLook } from "./look";
import type { Arrow, Ghost } from "./board";

export type FogChoice = { piece: string | null; board: number | null; ghosts: boolean };

export const FIRST_CHOICE: FogChoice = { piece: null, board: null, ghosts: true };

const KINDS: [string, string][] = [
  ["", "any piece"],
  ["k", "king"],
  ["q", "queen"],
  ["r", "rooks"],
  ["b", "bishops"],
  ["n", "knights"],
  ["p", "pawns"],
];

/** What the board shows of a look. */
export function drawnLook(look: ChessLook | null, choice: FogChoice): { shades: number[]; ghosts: Ghost[]; arrows: Arrow[] } {
  if (look === null) return { shades: [], ghosts: [], arrows: [] };
  const arrows = look.candidates
    .filter((one) => one.probability > 0.01)
    .map((one): Arrow => ({ move: one.action, weight: one.probability, kind: "mix" }));
  const board = choice.board === null ? undefined : look.boards[choice.board];
  if (board) {
    const ghosts = [...board.marks].flatMap((mark, square) => (/[a-z]/i.test(mark) ? [{ square, piece: mark, share: 1 }] : []));
    return { shades: [], ghosts, arrows };
  }
  return { shades: shadesOf(look, choice.piece), ghosts: choice.ghosts ? ghostsOf(look, choice.piece) : [], arrows };
}

export function FogPanel(props: {
  on: boolean;
  turn: boolean;
  /** Why the server did not answer. */
  refused: string;
  look: ChessLook | null;
  growth: [number, number][];
  choice: FogChoice;
  onSwitch: (on: boolean) => void;
  onChoice: (choice: FogChoice) => void;
}): JSX.Element {
  const { look } = props;
  return (
    <section class="panel fog-panel" aria-label="Looking into the fog">
      <label class="switch">
        <input
          type="checkbox"
          checked={props.on}
          data-testid="look"
          onChange={(event) => props.onSwitch(event.currentTarget.checked)}
        />
        Look into the fog
      </label>
      {props.on && look === null && (
        <p class="quiet">
          {props.refused || (props.turn ? "Searching…" : "The search looks when it is your turn.")}
        </p>
      )}
      {props.on && look !== null && <LookDetails {...props} look={look} />}
    </section>
  );
}

export function LookDetails(props: {
  look: ChessLook;
  /** How the tree grew, for a search that is watched. */
  growth?: [number, number][];
  choice: FogChoice;
  onChoice: (choice: FogChoice) => void;
}): JSX.Element {
  const { look, choice, onChoice } = props;
  const count = look.boards.length;
  const board = choice.board === null ? undefined : look.boards[choice.board];
  const step = (by: number) => {
    const now = choice.board ?? (by > 0 ? -1 : count);
    onChoice({ ...choice, board: (now + by + count) % count });
  };
  return (
    <>
      <dl class="facts">
        <div>
          <dt>Value</dt>
          <dd>{(look.value >= 0 ? "+" : "") + look.value.toFixed(2)}</dd>
        </div>
        <div>
          <dt>Possible positions</dt>
          <dd>
            {look.complete === false ? "over " : ""}
            {look.positions.toLocaleString("en")}
          </dd>
        </div>
        <div>
          <dt>Tree</dt>
          <dd>{look.nodes.toLocaleString("en")} nodes</dd>
        </div>
      </dl>
      <TreeGrowth look={look} growth={props.growth ?? []} />
      <p class="quiet">{safetyText(look.p_max)}</p>
      <div class="row">
        <label>
          Show
          <select
            value={choice.piece ?? ""}
            onChange={(event) => onChoice({ ...choice, board: null, piece: event.currentTarget.value || null })}
          >
            {KINDS.map(([letter, name]) => (
              <option value={letter} key={letter}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label class="switch">
          <input
            type="checkbox"
            checked={choice.ghosts}
            onChange={(event) => onChoice({ ...choice, ghosts: event.currentTarget.checked })}
          />
          ghosts
        </label>
      </div>
      {count > 1 && (
        <div class="row steps" role="group" aria-label="Likeliest boards">
          <button type="button" class="action" aria-label="Likelier board" onClick={() => step(-1)}>
            ‹
          </button>
          <span>
            {board === undefined
              ? `${count} likeliest boards`
              : `board ${choice.board! + 1} of ${count}, ${Math.round(100 * board.share)} %`}
          </span>
          <button type="button" class="action" aria-label="Less likely board" onClick={() => step(1)}>
            ›
          </button>
          {board !== undefined && (
            <button type="button" class="action" onClick={() => onChoice({ ...choice, board: null })}>
              all together
            </button>
          )}
        </div>
      )}
      <CandidateTable look={look} />
    </>
  );
}

function CandidateTable({ look }: { look: ChessLook }): JSX.Element {
  const best = [...look.candidates]
    .sort((a, b) => b.probability - a.probability || (b.strategy ?? 0) - (a.strategy ?? 0) || b.value - a.value)
    .slice(0, 8);
  return (
    <table>
      <caption class="sr">Candidate moves</caption>
      <thead>
        <tr>
          <th scope="col">Move</th>
          <th scope="col">Search plays</th>
          <th scope="col">Solver's mix</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {best.map((one) => (
          <tr key={one.action}>
            <td>{one.label}</td>
            <td>{(100 * one.probability).toFixed(0)} %</td>
            <td>{(100 * (one.strategy ?? one.probability)).toFixed(0)} %</td>
            <td>{(one.value >= 0 ? "+" : "") + one.value.toFixed(2)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
