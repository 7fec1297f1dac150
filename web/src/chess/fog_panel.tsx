// Looking into the fog: the search's belief, its mix of moves and its value, for our own side.
import type { JSX } from "preact";
import { Meanings } from "../meanings";
import { signed } from "../values";
import { CandidateTable } from "./candidate_table";
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

const MEANINGS = [
  [
    "Value",
    "What the search expects for this side: -1 is lost, 0 even, +1 won. It is an estimate: another search of the same position can find a slightly different one.",
  ],
  ["Possible positions", "Boards that fit everything this side has seen."],
  ["Search tree", "How far the search has looked ahead, in positions (nodes). A larger tree gives better estimates."],
  ["Search plays", "How often the search would choose each move. In the fog it pays not to be predictable."],
  ["Solver's mix", "The same before safety is checked; a plan that is not safe is cut down to its likeliest move."],
  [
    "Safe, p_max",
    "Safe: whatever the other side knows, it gains nothing from this plan. p_max is how likely the other side would go for such a gain, from 0 (safe) to 1.",
  ],
  ["Ghosts", "Pieces where the search thinks they may stand; the number is the probability in percent."],
  ["Arrows", "The moves that the search would choose; the thicker, the more often."],
] as const;

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
  const safety = safetyText(look.p_max);
  const step = (by: number) => {
    const now = choice.board ?? (by > 0 ? -1 : count);
    onChoice({ ...choice, board: (now + by + count) % count });
  };
  return (
    <>
      <dl class="facts">
        <div>
          <dt>Value (-1 lost, +1 won)</dt>
          <dd>{signed(look.value)}</dd>
        </div>
        <div>
          <dt>Possible positions</dt>
          <dd>
            {look.complete === false ? "over " : ""}
            {look.positions.toLocaleString("en")}
          </dd>
        </div>
      </dl>
      <CandidateTable candidates={look.candidates} order="played" most={5} caption="Candidate moves" />
      <details class="quiet safety" data-testid="safety">
        <summary>{safety.short}</summary>
        <p>{safety.details}</p>
      </details>
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
          pieces as ghosts
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
      {look.nodes > 0 && (
        <details data-testid="search-tree">
          <summary>Search tree: {look.nodes.toLocaleString("en")} nodes</summary>
          <TreeGrowth look={look} growth={props.growth ?? []} />
        </details>
      )}
      <Meanings title="What do these words mean?" terms={MEANINGS} />
    </>
  );
}
