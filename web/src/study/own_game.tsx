// Games of one's own: a Python file that the server compiles, where it was started to do so.
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { get, post } from "../api";
import { useCommand } from "../command";
import { useGames, type GameInfo } from "../games";
import { messageOf } from "./jobs";

const LARGEST = 100_000; // bytes, as the server accepts

export type OwnGames = {
  allowed: boolean;
  /** Hands a file to the server; returns its games. */
  add: (file: File) => Promise<GameInfo[]>;
};

/** All games that can be studied: those of the list and those of one's own files. */
export function useStudyGames(): { games: GameInfo[]; own: OwnGames; error: string } {
  const { games, error } = useGames();
  const [found, setFound] = useState<{ allowed: boolean; games: GameInfo[] }>({ allowed: false, games: [] });
  const look = async () => setFound(await get<{ allowed: boolean; games: GameInfo[] }>("/api/own-code"));
  useEffect(() => void look().catch(() => undefined), []);
  const add = async (file: File) => {
    if (file.size > LARGEST) throw new Error(`a file of a game may have at most ${LARGEST.toLocaleString("en")} bytes`);
    const added = await post<{ games: GameInfo[] }>("/api/own-code", { name: file.name, source: await file.text() });
    await look();
    return added.games;
  };
  return { games: [...games, ...found.games], own: { allowed: found.allowed, add }, error };
}

/** Choose a file, or drop it anywhere on the page. */
export function OwnGameField(props: { own: OwnGames; onAdded: (games: GameInfo[]) => void }): JSX.Element {
  const [state, setState] = useState<{ busy: boolean; name: string; error: string }>({ busy: false, name: "", error: "" });
  const [over, setOver] = useState(false);
  const command = useCommand();
  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    setState({ busy: true, name: file.name, error: "" });
    try {
      props.onAdded(await props.own.add(file));
      setState({ busy: false, name: file.name, error: "" });
    } catch (problem) {
      setState({ busy: false, name: "", error: messageOf(problem) });
    }
  };
  useLayoutEffect(() => {
    const files = (event: DragEvent) => event.dataTransfer?.types.includes("Files") === true;
    const dragged = (event: DragEvent) => {
      if (!files(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const left = (event: DragEvent) => event.relatedTarget === null && setOver(false);
    const dropped = (event: DragEvent) => {
      if (!files(event)) return;
      event.preventDefault();
      setOver(false);
      void take(event.dataTransfer?.files[0]);
    };
    addEventListener("dragover", dragged);
    addEventListener("dragleave", left);
    addEventListener("drop", dropped);
    return () => {
      removeEventListener("dragover", dragged);
      removeEventListener("dragleave", left);
      removeEventListener("drop", dropped);
    };
  });
  return (
    <details class={`parameters own-game ${over ? "over" : ""}`} open={over || state.error !== "" || undefined} data-testid="own-game">
      <summary>A game of your own</summary>
      {props.own.allowed ? (
        <label>
          A Python file with your rules; choose it, or drop it on this page
          <input
            type="file"
            accept=".py,text/x-python"
            disabled={state.busy}
            onChange={(event) => {
              void take(event.currentTarget.files?.[0]);
              event.currentTarget.value = "";
            }}
          />
        </label>
      ) : (
        <p class="quiet">
          This server does not run visitors' Python files. Start it with <code>{command} serve --own-code</code> to solve games
          of your own here.
        </p>
      )}
      <p role="status" class="quiet">
        {state.busy ? `reading ${state.name} …` : state.name && `${state.name} is in the list of games.`}
      </p>
      {state.error && (
        <p class="error" role="alert">
          {state.error}
        </p>
      )}
    </details>
  );
}
