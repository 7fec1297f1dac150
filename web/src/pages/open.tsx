// Opens a record of a game from a file and leads to its review.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { post } from "../api";
import { GameTable, type ListedGame } from "../game_table";
import { keepKey, SPECTATOR } from "../keys";
import { useNewest } from "../requests";
import { navigate } from "../router";
import { sentence } from "../values";

const MOST_BYTES = 3_900_000; // the server takes 4,000,000 with the JSON around

type Opened = { id?: string; spectator_key?: string; games?: ListedGame[] };

export function OpenPage(): JSX.Element {
  const [error, setError] = useState("");
  const [file, setFile] = useState<{ name: string; text: string } | null>(null);
  const [games, setGames] = useState<ListedGame[]>([]);
  const [over, setOver] = useState(false);
  const begin = useNewest();
  const ask = async (name: string, text: string, game?: number) => {
    const newest = begin();
    setError("");
    try {
      const found = await post<Opened>("/api/records", { name, text, game });
      if (!newest()) return;
      if (found.id && found.spectator_key) {
        keepKey(found.id, SPECTATOR, found.spectator_key);
        navigate(`/game/${found.id}`);
      } else setGames(found.games ?? []);
    } catch (problem) {
      if (newest()) setError((problem as Error).message);
    }
  };
  const read = async (chosen: File | undefined | null) => {
    if (!chosen) return;
    const newest = begin();
    setGames([]);
    if (chosen.size > MOST_BYTES) {
      setError(`${chosen.name} has ${(chosen.size / 1e6).toFixed(1)} MB; a record may have at most ${MOST_BYTES / 1e6} MB`);
      return;
    }
    const text = await chosen.text();
    if (!newest()) return;
    setFile({ name: chosen.name, text });
    await ask(chosen.name, text);
  };
  return (
    <>
      <h1>Open a record</h1>
      <section
        class={`panel drop ${over ? "over" : ""}`}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          void read(event.dataTransfer?.files[0]);
        }}
      >
        <label>
          <span>
            A game that was saved here or by <code>fogtree arena --records</code>: .jsonl, .json or .pgn
          </span>
          <input
            type="file"
            accept=".jsonl,.json,.pgn"
            data-testid="record-file"
            onChange={(event) => {
              void read(event.currentTarget.files?.[0]);
              event.currentTarget.value = ""; // so that the same file can be chosen again
            }}
          />
        </label>
        <p class="quiet">Choose a file, or drop it here. It is read by this server and sent to nobody else.</p>
        {error && (
          <p class="error" role="alert" data-testid="record-error">
            {sentence(error)}
          </p>
        )}
      </section>
      {games.length > 0 && file && (
        <section class="panel" aria-label="Games of the file">
          <h2>
            {file.name}: {games.length} games
          </h2>
          <GameTable games={games} onOpen={(number) => void ask(file.name, file.text, number)} />
        </section>
      )}
    </>
  );
}
