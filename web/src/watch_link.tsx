// The links of a running game, for whoever made it: for the other people, and for spectators.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { CopyField } from "./copy_field";
import { findSetup } from "./keys";
import { LinkNote } from "./link_note";
import { invitation, spectatorLink, WATCH_LABEL, WATCH_REASON } from "./new_game";

/** The links that give the other people their seats, for whoever made the game. */
export function InvitationAgain({ id, seats }: { id: string; seats: readonly string[] }): JSX.Element | null {
  const [others] = useState(() => Object.entries(findSetup(id)?.others ?? {}));
  if (others.length === 0) return null;
  return (
    <details class="quiet" data-testid="invite-again">
      <summary>{others.length === 1 ? "The link for your friend" : "The links for the other players"}</summary>
      {others.map(([seat, key]) => (
        <CopyField key={seat} label={`For ${seats[Number(seat)]}`} value={invitation(id, Number(seat), key)} testid="invitation" />
      ))}
      <LinkNote />
    </details>
  );
}

export function WatchLink({ id }: { id: string }): JSX.Element | null {
  const [key] = useState(() => findSetup(id)?.spectator);
  if (!key) return null;
  return (
    <details class="quiet" data-testid="watch">
      <summary>Let somebody see this game when it is over</summary>
      <CopyField label={WATCH_LABEL} value={spectatorLink(id, key)} testid="watch-link" />
      <p>{WATCH_REASON}</p>
      <LinkNote />
    </details>
  );
}
