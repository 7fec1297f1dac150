// One game, running or finished; what is drawn depends on the kind of its views.
import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { findSetup, noteGame, SPECTATOR } from "../keys";
import { pageOf, titleOf } from "../games";
import { useLiveGame } from "../live_game";
import { WATCH_REASON } from "../new_game";
import { usePageName } from "../page_name";
import { FinishedGame } from "../review/finished_game";
import { gameParts, viewParts } from "../registry";
import { resultText } from "../result_text";
import { Link } from "../router";
import { play as sound } from "../sounds";
import { GameTable } from "../table/game_table";
import { sentence, upper } from "../values";

export function GamePage({ id }: { id: string }): JSX.Element {
  const live = useLiveGame(id);
  const now = live.views.at(-1);
  const watched = useRef(false);
  useLayoutEffect(() => {
    if (live.over && watched.current) sound("end");
    if (live.loaded && !live.over) watched.current = true;
  }, [live.over, live.loaded]);
  const { start, over } = live;
  const game = (start?.game ?? "").split("(")[0]!;
  usePageName(game && titleOf(game), game && pageOf(game));
  useLayoutEffect(() => {
    if (!start) return;
    const others = start.players.filter((_, seat) => seat !== start.seat).join(", ");
    const players = `${upper(start.seats[start.seat]!)}${others && ` against ${others}`}`;
    noteGame(id, { game: start.game, players, result: over ? resultText(over.returns, start.seat, over.reason) : undefined });
  }, [id, start, over]);
  if (live.shut) {
    return (
      <>
        <h1>There is no such game for you</h1>
        <p class="error" role="alert" data-testid="shut">
          {sentence(live.shut)}
        </p>
        <p>
          If somebody sent you a link, open the whole of it, with the part after the #. The games of this browser are listed
          on the <Link to="/">first page</Link>, where you can also start a new one.
        </p>
      </>
    );
  }
  if (live.seat === SPECTATOR) {
    return (
      <>
        <h1 class="sr">A game to look at</h1>
        {live.over ? <FinishedGame id={id} live={live} /> : <Waiting connected={live.connected} />}
      </>
    );
  }
  if (!live.start || !now || !live.loaded) return <Loading id={id} connected={live.connected} />;
  const { Live, reviewAlone } = viewParts(now.view.kind);
  return (
    <>
      <h1 class="sr">{titleOf(game)}</h1>
      {!live.connected && (
        <p class="connection-lost" role="alert">
          The connection to the server is lost. Trying again…
        </p>
      )}
      {live.over && reviewAlone ? (
        <FinishedGame id={id} live={live} />
      ) : Live ? (
        <Live id={id} live={live} />
      ) : (
        <GameTable id={id} live={live} />
      )}
    </>
  );
}

/** Until the game is here: its first board where this browser made it, so that nothing jumps. */
function Loading(props: { id: string; connected: boolean }): JSX.Element {
  const [setup] = useState(() => findSetup(props.id));
  const words = props.connected ? "Loading the game…" : "Connecting…";
  const { Loading: First } = setup && !setup.request.game.includes("(") ? gameParts(setup.request.game) : {};
  return setup && First ? <First setup={setup} words={words} /> : <p class="loading">{words}</p>;
}

function Waiting({ connected }: { connected: boolean }): JSX.Element {
  if (!connected) return <p class="loading">Connecting…</p>;
  return (
    <section class="panel" data-testid="spectator">
      <h2>This game is still being played</h2>
      <p role="status">
        You will see all of it here as soon as it is over; this page need not be opened again. {WATCH_REASON}
      </p>
    </section>
  );
}
