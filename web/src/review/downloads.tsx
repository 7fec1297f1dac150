// Saves the record of a finished game as a file.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { accessToken } from "../api";

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

export function Downloads(props: { id: string; key_: string; formats: ("record" | "pgn")[] }): JSX.Element {
  const [problem, setProblem] = useState("");
  const endings = { record: "jsonl", pgn: "pgn" };
  return (
    <div class="row controls">
      {props.formats.map((format) => (
        <button
          type="button"
          class="action"
          key={format}
          onClick={() =>
            void save(`/api/games/${props.id}/record.${endings[format]}`, props.key_, `${props.id}.${endings[format]}`).then(
              setProblem,
            )
          }
        >
          {format === "pgn" ? "Save PGN" : "Save record"}
        </button>
      ))}
      {problem && (
        <span class="error" role="alert">
          {problem}
        </span>
      )}
    </div>
  );
}
