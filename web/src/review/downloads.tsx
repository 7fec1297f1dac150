// Saves the record of a finished game as a file.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { accessToken } from "../api";
import type { ReviewDocument } from "./review_data";

async function save(path: string, key: string, name: string): Promise<string> {
  const headers: Record<string, string> = { "X-Seat-Key": key };
  if (accessToken()) headers["Authorization"] = `Bearer ${accessToken()}`;
  const answer = await fetch(path, { headers });
  if (!answer.ok) return answer.status === 404 ? "this server does not offer that file" : `the server answered ${answer.status}`;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
  return "";
}

/** A name for the file of a game, such as some-game_2026-11-17_you-vs-search. */
export function fileName(review: ReviewDocument, seat: number): string {
  const players = review.players.map((name, number) => words(number === seat ? "you" : name));
  return [words(review.game.split("(")[0]!), review.date, players.join("-vs-")].filter(Boolean).join("_");
}

/** A text as the part of a file's name: small letters and digits, joined by hyphens. */
function words(text: string): string {
  return (text.toLowerCase().match(/[\p{Letter}\p{Number}]+/gu) ?? ["unknown"]).join("-").slice(0, 30);
}

const FILES = {
  pgn: { words: "Save PGN", suffix: "", ending: "pgn", views: "no" },
  views: { words: "Save PGN with what each side saw", suffix: "_as-seen", ending: "pgn", views: "yes" },
  record: { words: "Save record", suffix: "", ending: "jsonl", views: "yes" },
};

export function Downloads(props: {
  id: string;
  key_: string;
  review: ReviewDocument;
  seat: number;
  formats: (keyof typeof FILES)[];
  /** Verdicts of the review on the moves, such as "??", which PGN has room for. */
  signs?: string[];
}): JSX.Element {
  const [problem, setProblem] = useState("");
  const name = fileName(props.review, props.seat);
  return (
    <div class="row controls">
      {props.formats.map((format) => {
        const { words, suffix, ending, views } = FILES[format];
        const query = new URLSearchParams({ views, signs: (props.signs ?? []).join() });
        const address = `/api/games/${props.id}/record.${ending}?${query}`;
        return (
          <button
            type="button"
            class="action"
            key={format}
            onClick={() => void save(address, props.key_, `${name}${suffix}.${ending}`).then(setProblem)}
          >
            {words}
          </button>
        );
      })}
      {problem && (
        <span class="error" role="alert">
          {problem}
        </span>
      )}
    </div>
  );
}
