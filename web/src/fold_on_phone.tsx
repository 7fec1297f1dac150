// A part of a page that is folded to one line on small screens.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

const SMALL = "(max-width: 40rem)";

/** ``summary``: what is inside, in the line that unfolds it. */
export function FoldOnPhone(props: { summary: string; children: ComponentChildren }): JSX.Element {
  const [small, setSmall] = useState(() => matchMedia(SMALL).matches);
  useEffect(() => {
    const query = matchMedia(SMALL);
    const look = () => setSmall(query.matches);
    query.addEventListener("change", look);
    return () => query.removeEventListener("change", look);
  }, []);
  if (!small) return <>{props.children}</>;
  return (
    <details class="fold" data-testid="fold">
      <summary>{props.summary}</summary>
      {props.children}
    </details>
  );
}
