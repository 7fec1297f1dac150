// One game, running or finished; what is drawn depends on the kind of its views.
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { LiveChess } from "../chess/live_chess";
import { useLiveGame } from "../live_game";
import { Review } from "../review/review";
import { Link } from "../router";
import { play as sound } from "../sounds";
import { CambiaTable } from "../table/cambia_table";
import { TextTable } from "../table/text_table";

export function GamePage({ id }: { id: string }): JSX.Element {
  const live = useLiveGame(id);
  const now = live.views.at(-1);
  const watched = useRef(false);
  useEffect(() => {
    if (live.over && watched.current) sound("end");
    if (live.start && !live.over) watched.current = true;
  }, [live.over, live.start]);
  if (live.shut) {
    return (
      <>
        <h1>This game is closed to you</h1>
        <p class="error" role="alert">
          {live.shut}
        </p>
        <Link to="/">To the first page</Link>
      </>
    );
  }
  if (!live.start || !now) return <p class="loading">{live.connected ? "Loading the game…" : "Connecting…"}</p>;
  return (
    <>
      <h1 class="sr">{live.start.game}</h1>
      {!live.connected && (
        <p class="error" role="alert">
          The connection is lost. Trying again…
        </p>
      )}
      {live.over && now.view.kind === "chess" ? (
        <Review id={id} live={live} />
      ) : now.view.kind === "chess" ? (
        <LiveChess id={id} live={live} />
      ) : now.view.kind === "cambia" ? (
        <CambiaTable id={id} live={live} />
      ) : (
        <TextTable id={id} live={live} />
      )}
    </>
  );
}
