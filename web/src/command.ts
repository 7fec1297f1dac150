// The command that starts this server, for advice that can be pasted into a terminal.
import { useEffect, useState } from "preact/hooks";
import { get } from "./api";

const USUAL = "fogtree";

let asked: Promise<string> | null = null;

/** What to type for "fogtree" on the server's machine, such as .venv/bin/fogtree. */
export function useCommand(): string {
  const [command, setCommand] = useState(USUAL);
  useEffect(() => {
    asked ??= get<{ command: string }>("/api/version").then(
      (found) => found.command,
      () => USUAL,
    );
    void asked.then(setCommand);
  }, []);
  return command;
}
