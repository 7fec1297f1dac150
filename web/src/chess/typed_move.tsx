// A move typed as "e4", "Nf3" or "e2e4", for people who use no mouse.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Action } from "../live_game";

function plain(text: string): string {
  return text.trim().replace(/[+#x=\-]/g, "").replace(/0/g, "O").toLowerCase();
}

/** The legal move that a text means; null if none or more than one. */
export function readMove(text: string, actions: readonly Action[]): string | null {
  const exact = actions.find((one) => one.action === text.trim().toLowerCase() || one.label === text.trim());
  if (exact) return exact.action;
  const alike = actions.filter((one) => plain(one.label) === plain(text) || one.action === plain(text));
  return alike.length === 1 ? alike[0]!.action : null;
}

export function TypedMove(props: { actions: readonly Action[]; play: (move: string) => void }): JSX.Element {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState("");
  useEffect(() => setProblem(""), [props.actions.length === 0]); // a move was made, by any way
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const move = readMove(text, props.actions);
    if (props.actions.length === 0) setProblem("It is not your turn.");
    else if (move === null) setProblem(`“${text}” is not one of your moves.`);
    else {
      setText("");
      setProblem("");
      props.play(move);
    }
  };
  return (
    <form class="typed-move" onSubmit={submit}>
      <label>
        Type a move
        <input
          value={text}
          placeholder="e4, Nf3, e2e4"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          data-testid="typed-move"
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="action">
        Move
      </button>
      {problem && (
        <span class="error" role="alert">
          {problem}
        </span>
      )}
    </form>
  );
}
