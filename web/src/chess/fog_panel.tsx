// Looking into the fog: the search's belief, its mix of moves and its value, for our own side.
import type { JSX } from "preact";
import { Meanings } from "../meanings";
import { signed } from "../values";
import { CandidateTable } from "./candidate_table";
import { TreeGrowth } from "./tree_growth";
import { boardsText, guessOfAllText, guessText } from "./possible_boards";
import { ghostsOf, positionsText, safetyText, shadesOf, weightsText, type ChessLook } from "./look";
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
    "What the search expects for this side: -1 is lost, 0 even, +1 won. It is an estimate: a second search of the same position can find a slightly different value. If several moves are worth nearly the same, the second search can also prefer another one of them.",
  ],
  [
    "Possible positions",
    "Positions that fit everything this side has seen. Those that differ only in the right to castle or to take en passant look the same: they are one among the boards that you can step through. Up to 20 boards are all listed; of more, only 12, the likeliest. \"More than 145\": so many were found, but others that nobody could find in the time fit too. Then the probabilities in the fog are rough, and the truth may be missing among the boards.",
  ],
  [
    "Probabilities in the fog",
    "Where no search went before, every position that fits counts the same. If there was a look at your decision before, half of each probability comes from what that look expected the other side to play; the other half counts every position that fits the same. So the same square can have other numbers when you look at every move than when you look once. While a search runs, these numbers stay. They also stay when you look again at the same decision, as long as the server has the earlier search: it keeps the latest few, and none when it is started again.",
  ],
  ["Search tree", "How far the search has looked ahead, in positions (nodes). A larger tree gives better estimates."],
  ["Search plays", "How often the search would choose each move. In the fog it pays not to be predictable."],
  [
    "Solver's mix",
    "The strategy that the solver calculated: how often it chooses each move. The search plays at most three moves of it, those that the solver kept choosing; if it is not sure that its mix is safe, it plays the likeliest one alone.",
  ],
  [
    "Safe",
    "A plan is safe if the other side gains nothing from it, even if it knew the plan. p_max measures this: 0 is safe; the closer to 1, the more the other side would like this plan in the situation that suits it best.",
  ],
  ["Ghosts", "The likeliest piece of the other side on a square; the number is the probability of this piece in percent. The colour of the square is the probability of any piece. Pieces of less than 5 % are not drawn, so a coloured square can be empty."],
  ["Arrows", "The moves that the search would choose; the thicker, the more often."],
] as const;

/** What the board shows of a look; ``note`` says that a whole board is a guess. */
type Drawn = { shades: number[]; ghosts: Ghost[]; arrows: Arrow[]; note: string };

export function drawnLook(look: ChessLook | null, choice: FogChoice): Drawn {
  if (look === null) return { shades: [], ghosts: [], arrows: [], note: "" };
  const arrows = look.candidates
    .filter((one) => one.probability > 0.01)
    .map((one): Arrow => ({ move: one.action, weight: one.probability, kind: "mix" }));
  const board = choice.board === null ? undefined : look.boards[choice.board];
  if (board) {
    const ghosts = [...board.marks].flatMap((mark, square) => (/[a-z]/i.test(mark) ? [{ square, piece: mark, share: board.share, guessed: true }] : []));
    return { shades: [], ghosts, arrows, note: guessText(look, choice.board!) };
  }
  const ghosts = choice.ghosts ? ghostsOf(look, choice.piece) : [];
  return { shades: shadesOf(look, choice.piece), ghosts, arrows, note: "" };
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
      {props.on && look !== null && (
        <p class="quiet searching" role="status" data-testid="searching">
          {look.done === false ? "Still searching: the value and the moves may still change." : ""}
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
  /** The move that was played here, and who played it. */
  played?: { action: string | null; by: string };
}): JSX.Element {
  const { look, choice, onChoice } = props;
  const count = look.boards.length;
  const board = choice.board === null ? undefined : look.boards[choice.board];
  const safety = safetyText(look);
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
          <dd>{positionsText(look)}</dd>
        </div>
      </dl>
      <p class="quiet" data-testid="look-legend">
        On the board: <span class="shade-key">red</span> squares may hold a piece of the other side, the stronger the likelier;
        a number is the probability of the piece drawn there, in percent. Pieces of less than 5 % are not drawn. Arrows are the moves that the search would choose.
        {look.positions > 1 && <span data-testid="look-weights"> {weightsText(look)}</span>}
      </p>
      <CandidateTable
        candidates={look.candidates}
        order="played"
        most={5}
        caption="Candidate moves"
        positions={look.positions}
        chosen={props.played?.action}
        chosenBy={props.played?.by}
      />
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
        <div class="board-steps" role="group" aria-label="Likeliest boards">
          <button type="button" class="action" aria-label="Likelier board" onClick={() => step(-1)}>
            ‹
          </button>
          <span data-testid="boards">{board === undefined ? boardsText(look) : guessOfAllText(look, choice.board!)}</span>
          <button type="button" class="action" aria-label="Less likely board" onClick={() => step(1)}>
            ›
          </button>
          {board !== undefined && (
            <button type="button" class="action together" onClick={() => onChoice({ ...choice, board: null })}>
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
