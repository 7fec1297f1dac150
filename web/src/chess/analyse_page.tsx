// A position that both sides know, searched for the side to move: /analyse?fen=…
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { post } from "../api";
import { Board } from "./board";
import { drawnLook, FIRST_CHOICE, LookDetails } from "./fog_panel";
import { chessSpec, fenMarks, NOT_A_POSITION, START_FEN } from "./levels";
import { readLook } from "./look";
import { RulesChoice } from "./rules_choice";
import { keepAnalysis } from "../keys";
import { grown } from "../live_game";
import { useNewest } from "../requests";
import { Link } from "../router";
import { keepQuery, queryValue, useJob } from "../study/jobs";
import { sentence } from "../values";

type Position = { seat: 0 | 1; view: { marks: string } };

export function AnalysePage(): JSX.Element {
  const [fen, setFen] = useState(() => queryValue("fen"));
  const [rules, setRules] = useState(() => queryValue("rules") || "chesscom");
  const [seconds, setSeconds] = useState("3");
  const [job, setJob] = useState("");
  const [error, setError] = useState("");
  const [choice, setChoice] = useState(FIRST_CHOICE);
  const followed = useJob(job);
  const ask = useNewest();
  const begin = async () => {
    const newest = ask();
    setError("");
    try {
      const asked = { game: chessSpec(rules, fen), seconds: Number(seconds) };
      const { id } = await post<{ id: string }>("/api/analysis", asked);
      keepAnalysis(id);
      if (!newest()) return;
      setJob(id);
      keepQuery({ fen: fen.trim(), rules: rules === "chesscom" ? "" : rules });
    } catch (problem) {
      if (!newest()) return;
      setJob("");
      setError((problem as Error).message);
    }
  };
  useEffect(() => {
    if (fen) void begin();
  }, []);
  const typed = fenMarks(fen);
  const problem = useProblem(typed === null ? null : chessSpec(rules, fen));
  const possible = problem === "" && (typed !== null || fen.trim() === "");
  const position = followed.events.find((one) => one.type === "position") as unknown as Position | undefined;
  const looks = followed.events.filter((one) => one.type === "look");
  const look = readLook(looks.at(-1) ?? null);
  const growth = looks.reduce<[number, number][]>(grown, []);
  const failed = followed.events.find((one) => one.type === "failed");
  const drawn = drawnLook(look, choice);
  const side = position?.seat === 1 ? "Black" : "White";
  const said = error || followed.error || (failed ? String(failed.why) : "") || problem;
  return (
    <>
      <h1>Analyse a position</h1>
      <div class="game-layout">
        <div>
          {position ? (
            <Board
              marks={[...position.view.marks]}
              orientation={position.seat}
              legal={[]}
              arrows={drawn.arrows}
              ghosts={drawn.ghosts}
              shades={drawn.shades}
              label={`What ${side} sees`}
            />
          ) : (
            <Board marks={typed ?? fenMarks(START_FEN)!} orientation={/ b( |$)/.test(fen) ? 1 : 0} legal={[]} label="The position" />
          )}
          <p class="quiet names" data-testid="shown-position">
            {position
              ? `What ${side} sees. Pieces in the fog are drawn where the search thinks they may stand.`
              : typed
                ? possible
                  ? "The position, which both sides know. Press Analyse to search it."
                  : "The position. It cannot be searched."
                : fen.trim() === ""
                  ? "The usual first position. Press Analyse to search it, or give another one."
                  : NOT_A_POSITION}
          </p>
        </div>
        <div class="side">
          <form
            class="panel form"
            onSubmit={(event) => {
              event.preventDefault();
              void begin();
            }}
          >
            <label>
              Position (FEN)
              <input
                value={fen}
                placeholder={START_FEN}
                data-testid="analyse-fen"
                onInput={(event) => {
                  setFen(event.currentTarget.value);
                  setJob(""); // what was found is about another position
                }}
              />
            </label>
            <div class="row">
              <RulesChoice
                value={rules}
                onChange={(chosen) => {
                  setRules(chosen);
                  setJob("");
                }}
              />
              <label>
                Search for
                <select value={seconds} onChange={(event) => setSeconds(event.currentTarget.value)}>
                  {["1", "3", "10"].map((one) => (
                    <option key={one} value={one}>
                      {one} s
                    </option>
                  ))}
                </select>
              </label>
              <button type="submit" class="action primary" data-testid="analyse" disabled={!possible}>
                Analyse
              </button>
            </div>
            <p class="quiet">Both sides know this position; what they do from here on is hidden as usual.</p>
            {said && (
              <p class="error" role="alert">
                {sentence(said)}
              </p>
            )}
          </form>
          {position && (
            <section class="panel" aria-label="Analysis">
              <p class="status" role="status" data-testid="status">
                {side} to move. {look?.done ? "The search is done." : "Searching…"}
              </p>
              {look && look.candidates.length > 0 && <LookDetails look={look} growth={growth} choice={choice} onChoice={setChoice} />}
              <p>
                <Link
                  to={`/chess?${new URLSearchParams({ fen: fen.trim(), side: side.toLowerCase(), rules })}`}
                  class="button"
                >
                  Play from here
                </Link>
              </p>
            </section>
          )}
        </div>
      </div>
    </>
  );
}

/** Why a position cannot be searched; empty if it can, or as long as the server has not said. ``spec``: the game that begins there. */
function useProblem(spec: string | null): string {
  const [found, setFound] = useState({ spec: "", problem: "" });
  useEffect(() => {
    if (spec === null) return;
    let wanted = true;
    post<{ problem: string | null }>("/api/analysis/check", { game: spec }).then(
      ({ problem }) => wanted && setFound({ spec, problem: problem ?? "" }),
      () => undefined, // whoever presses Analyse is told
    );
    return () => {
      wanted = false;
    };
  }, [spec]);
  return found.spec === spec ? found.problem : "";
}
