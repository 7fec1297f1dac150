// Puzzles from played games: find the move, given what you may know.
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { get, post } from "../api";
import { Board } from "./board";
import { drawnLook, FIRST_CHOICE } from "./fog_panel";
import { FogNotation } from "./fog_notation";
import { follow, lastSquares, NOTHING_KNOWN, takenPieces, type ChessView } from "./history";
import { readLook } from "./look";
import { MoveList } from "./move_list";
import { PlayerBar } from "./player_bar";
import { PuzzleAnswer, type Answer } from "./puzzle_answer";
import { isPiece, squareNumber } from "./squares";
import { TypedMove } from "./typed_move";
import type { ViewEvent } from "../live_game";
import { Stepper } from "../review/stepper";
import { useOneTask } from "../requests";
import { Link, navigate } from "../router";

const GAME = "fog_chess";
type Listed = { id: string; level: number };
type Question = { id: string; level: number; seat: 0 | 1; seats: string[]; events: { type: string }[] };
type Results = Record<string, "right" | "wrong">;

const GIVE_UP = "If you let the answer be shown before your first try, the puzzle counts as wrong.";
const LEVELS = ["", "easy", "medium", "hard"];

function keptResults(): Results {
  return JSON.parse(localStorage.getItem("fogtree.puzzles") ?? "{}") as Results;
}

export function PuzzlesPage({ id }: { id?: string }): JSX.Element {
  const [puzzles, setPuzzles] = useState<Listed[]>([]);
  const [results, setResults] = useState(keptResults);
  const [error, setError] = useState("");
  useEffect(() => {
    get<{ puzzles: Listed[] }>(`/api/puzzles/${GAME}`).then(
      (found) => setPuzzles(found.puzzles),
      (problem: Error) => setError(problem.message),
    );
  }, []);
  const chosen = id;
  useEffect(() => {
    const first = puzzles.find((one) => !(one.id in results)) ?? puzzles[0];
    if (!id && first) navigate(`/puzzles/${first.id}`, true);
  }, [id, puzzles]);
  const number = puzzles.findIndex((one) => one.id === chosen);
  const following = puzzles[(number + 1) % Math.max(1, puzzles.length)]?.id;
  const count = (result: string) => puzzles.filter((one) => results[one.id] === result).length;
  const note = (puzzle: string, right: boolean) => {
    const after: Results = { [puzzle]: right ? "right" : "wrong", ...keptResults() }; // the first answer counts
    localStorage.setItem("fogtree.puzzles", JSON.stringify(after));
    setResults(after);
  };
  const forget = () => {
    localStorage.removeItem("fogtree.puzzles");
    setResults({});
  };
  return (
    <>
      <h1>
        Puzzles <span class="quiet">find the best move from what you can see</span>
      </h1>
      {error && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      {chosen && (
        <OnePuzzle
          id={chosen}
          key={chosen}
          title={number < 0 ? "" : `Puzzle ${number + 1} of ${puzzles.length}, ${LEVELS[puzzles[number]!.level] ?? ""}`}
          counted={chosen in results}
          onAnswer={(right) => note(chosen, right)}
          next={following && following !== chosen ? () => navigate(`/puzzles/${following}`) : null}
        />
      )}
      {puzzles.length > 0 && (
        <nav class="panel" aria-label="All puzzles">
          <p data-testid="puzzle-score">
            <strong>{count("right")}</strong> right, {count("wrong")} wrong, {puzzles.length - count("right") - count("wrong")} to
            solve. <span class="quiet">Your first answer counts; it is kept in this browser.</span>
          </p>
          {[1, 2, 3].filter((level) => puzzles.some((one) => one.level === level)).map((level) => (
            <p class="puzzle-list" key={level}>
              <span class="puzzle-level">{LEVELS[level]}</span>
              {puzzles.map(
                (one, place) =>
                  one.level === level && (
                    <Link
                      to={`/puzzles/${one.id}`}
                      key={one.id}
                      class={`puzzle-number ${results[one.id] ?? ""}`}
                      current={one.id === chosen}
                    >
                      {place + 1}
                      <span class="sr"> {results[one.id] ?? "not solved"}</span>
                    </Link>
                  ),
              )}
            </p>
          ))}
          {Object.keys(results).length > 0 && (
            <button type="button" class="action" data-testid="forget" onClick={forget}>
              Forget my answers
            </button>
          )}
        </nav>
      )}
    </>
  );
}

function OnePuzzle(props: {
  id: string;
  title: string;
  /** Whether this browser has a first answer to it. */
  counted: boolean;
  onAnswer: (right: boolean) => void;
  next: (() => void) | null;
}): JSX.Element {
  const [question, setQuestion] = useState<Question | null>(null);
  const [error, setError] = useState("");
  const address = `/api/puzzles/${GAME}/${props.id}`;
  useEffect(() => {
    get<Question>(address).then(setQuestion, (problem: Error) => setError(problem.message));
  }, [address]);
  if (error) {
    return (
      <p class="error" role="alert">
        {error}
      </p>
    );
  }
  if (question === null) return <p class="loading">Loading the puzzle…</p>;
  return <Asked {...props} question={question} address={address} />;
}

function Asked(props: {
  question: Question;
  address: string;
  title: string;
  /** Whether this browser has a first answer to it. */
  counted: boolean;
  onAnswer: (right: boolean) => void;
  next: (() => void) | null;
}): JSX.Element {
  const { question } = props;
  const costs = props.counted ? undefined : GIVE_UP;
  const side = question.seat;
  const views = useMemo(() => question.events.filter((one) => one.type === "view") as unknown as ViewEvent<ChessView>[], [question]);
  const last = views.length - 1;
  const [at, setAt] = useState(last);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [truth, setTruth] = useState(true);
  const [flipped, setFlipped] = useState(false);
  const [error, setError] = useState("");
  const [busy, alone] = useOneTask();
  const [problem, setProblem] = useState("");
  const { plies } = useMemo(() => follow(NOTHING_KNOWN, views.slice(0, at + 1)), [views, at]);
  const all = useMemo(() => follow(NOTHING_KNOWN, views).plies, [views]);
  const now = views[at]!;
  const name = side === 0 ? "White" : "Black";
  const solve = (action: string | null) =>
    void alone(async () => {
      try {
        const found = await post<Answer>(props.address, action === null ? { give_up: true } : { action });
        setAnswer(found);
        setAt(last);
        props.onAnswer(found.right);
      } catch (problem) {
        setError((problem as Error).message);
      }
    });
  const orientation = (flipped ? 1 - side : side) as 0 | 1;
  // A right answer is on the board; after a wrong one arrows show what was best, the answer, and what would follow.
  const solved = answer?.right === true && at === last;
  const before = answer && truth ? (answer.plies[at]?.full.marks ?? now.view.marks) : now.view.marks;
  const shown = (solved && (truth ? answer.after.full : answer.after.view).marks) || before;
  const drawn = drawnLook(answer && at === last && !solved ? readLook({ candidates: answer.candidates }) : null, FIRST_CHOICE);
  const own = at === last && !solved ? [answer?.chosen, answer?.reply?.action] : [];
  const arrows = [
    ...drawn.arrows,
    ...own.flatMap((move) => (move ? [{ move, weight: 0.5, kind: "own" as const }] : [])),
  ];
  const open = answer === null && at === last && !busy;
  const target = solved && answer.chosen ? now.view.marks[squareNumber(answer.chosen.slice(2, 4))]! : ".";
  const captured = isPiece(target) ? [target] : [];
  const bar = (seat: 0 | 1) => (
    <PlayerBar
      name={seat === side ? "You" : "The other side"}
      colour={question.seats[seat]!}
      taken={[...takenPieces(plies, seat === 1), ...(seat === side ? captured : [])]}
      toMove={now.view.mover === seat}
      clock={null}
    />
  );
  const truly = solved ? answer.chosen : answer?.plies[at]?.action;
  return (
    <div class="game-layout with-heading">
      <div>
        {bar((1 - orientation) as 0 | 1)}
        <Board
          marks={[...shown]}
          orientation={orientation}
          legal={open ? now.actions.map((one) => one.action) : []}
          side={open ? side : undefined}
          onMove={solve}
          onProblem={setProblem}
          lastMove={answer && (truth || solved) && truly ? [truly.slice(0, 2), truly.slice(2, 4)] : lastSquares(plies, side)}
          arrows={arrows}
          label={`Puzzle board, you play ${question.seats[side]}`}
        />
        {bar(orientation)}
        <Stepper at={at} last={last} onStep={setAt} />
      </div>
      <div class="side">
        <h2>{props.title}</h2>
        {answer === null ? (
          <>
            <p class="status" role="status" data-testid="status">
              {problem} {name} to move. Find the best move.
            </p>
            <TypedMove actions={open ? now.actions : []} play={solve} />
          </>
        ) : (
          <PuzzleAnswer answer={answer} name={name} truth={truth} onTruth={setTruth} next={props.next} />
        )}
        {error && (
          <p class="error" role="alert">
            {error}
          </p>
        )}
        <MoveList
          moves={all.map((one) => ({
            ply: one.ply,
            text: (one.by !== side && answer && truth && answer.plies[one.ply + 1]?.label) || one.san,
          }))}
          current={at - 1}
          onChoose={(ply) => setAt(ply + 1)}
        />
        <details class="quiet">
          <summary>What do stripes and ? mean?</summary>
          <FogNotation />
        </details>
        <div class="row controls">
          <button type="button" class="action" data-testid="flip" onClick={() => setFlipped(!flipped)}>
            Flip
          </button>
          {answer === null && (
            <button type="button" class="action" data-testid="give-up" disabled={busy} title={costs} aria-describedby={costs && "give-up-note"} onClick={() => solve(null)}>
              Show the answer
            </button>
          )}
          {answer === null && props.next && (
            <button type="button" class="action" onClick={props.next}>
              Skip
            </button>
          )}
        </div>
        {answer === null && (
          <p class="quiet">
            The position is from a game between two engines. You know what {name} saw in that game: go back with ‹ under the board to
            see it again. The other side's moves stay hidden until you answer. {costs && <span id="give-up-note">{costs}</span>}
          </p>
        )}
      </div>
    </div>
  );
}
