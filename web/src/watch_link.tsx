// The link for somebody who wants to see this game, for whoever made it.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { CopyField } from "./copy_field";
import { findSetup } from "./keys";
import { spectatorLink, WATCH_LABEL, WATCH_REASON } from "./new_game";

export function WatchLink({ id }: { id: string }): JSX.Element | null {
  const [key] = useState(() => findSetup(id)?.spectator);
  if (!key) return null;
  return (
    <details class="quiet" data-testid="watch">
      <summary>Let somebody see this game when it is over</summary>
      <CopyField label={WATCH_LABEL} value={spectatorLink(id, key)} testid="watch-link" />
      <p>{WATCH_REASON}</p>
    </details>
  );
}
