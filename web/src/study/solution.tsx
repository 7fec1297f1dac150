// A cursor through solutions: chance outcomes and actions lead on, all algorithms side by side.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { get, post } from "../api";
import { usePageKeys } from "../page_keys";
import { EQUILIBRIA, RARE, largestRegret, regret, type Choice, type Place } from "./infosets";
import { messageOf } from "./jobs";
import { ActionSwatch, Mix } from "./mix";
import { NamesNote } from "./names_note";
import { column, magnitudes, number, percent, percents, signed } from "./numbers";
import { Scroll } from "./scroll";
import { Differences, InfosetList } from "./solution_lists";

/** `best` is shown until the visitor chooses another or walks on; `version` changes when there may be newer solutions. */
export function SolutionBrowser(props: {
  job: string;
  game: string;
  players: number;
  algorithms: string[];
  best: string;
  version: number;
}): JSX.Element {
  const { job, algorithms, version } = props;
  const [path, setOwnPath] = useState<string[]>([]);
  const [asked, setChosen] = useState<string | null>(null);
  const chosen = asked ?? props.best;
  const setPath = (to: string[]) => {
    setChosen(chosen); // who walks through a solution stays in it
    setOwnPath(to);
  };
  const [places, setPlaces] = useState<Record<string, Place>>({});
  const [error, setError] = useState("");
  const names = algorithms.join("|");
  useEffect(() => {
    let wanted = true;
    const look = async () => {
      // The chosen one is shown at once, the others beside it as they come.
      let found: Record<string, Place> = {};
      for (const algorithm of [chosen, ...algorithms.filter((name) => name !== chosen)]) {
        const place = await post<Place>(`/api/jobs/${job}/place`, { algorithm, path });
        if (!wanted) return;
        found = { ...found, [algorithm]: place };
        setPlaces(found);
        setError("");
      }
    };
    look().catch((problem: unknown) => wanted && setError(messageOf(problem)));
    return () => {
      wanted = false;
    };
  }, [job, names, path, version, chosen]);
  const place = places[chosen];
  usePageKeys((event) => {
    if (event.key === "Backspace" && path.length > 0) {
      event.preventDefault();
      setPath(path.slice(0, -1));
    }
    const label = /^[1-9]$/.test(event.key) && place ? choices(place)[Number(event.key) - 1] : undefined;
    if (label !== undefined && place?.path.join("\n") === path.join("\n")) setPath([...path, label]);
  });

  return (
    <section class="panel solution" aria-label="Solution">
      <div class="row spread">
        <h2>Look into the solution</h2>
        <label>
          Strategy of
          <select value={chosen} onChange={(event) => setChosen(event.currentTarget.value)} data-testid="solution-of">
            {algorithms.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <button type="button" class="action" onClick={() => void download(job, chosen).catch((p) => setError(messageOf(p)))}>
          Download {chosen} as JSON
        </button>
      </div>
      <PathBar path={path} go={setPath} />
      {error && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      <p class="quiet">
        Click an outcome or an action to go on<span class="keys-note">, or press its number; Backspace goes back</span>.
      </p>
      <NamesNote spec={props.game} players={props.players} />
      {place && (
        <div class="place" aria-live="polite" data-testid="place">
          <Here place={place} waiting={place.path.join("\n") !== path.join("\n")} go={(label) => setPath([...place.path, label])} />
          {place.actions && <Beside places={places} chosen={chosen} algorithms={algorithms} />}
        </div>
      )}
      <InfosetList job={job} algorithm={chosen} version={version} go={setPath} />
      {algorithms.length > 1 && <Differences job={job} algorithms={algorithms} version={version} go={setPath} />}
    </section>
  );
}

/** What leads on from a place, in the order in which it is shown. */
function choices(place: Place): string[] {
  return place.outcomes ? Object.keys(place.outcomes) : (place.actions ?? []).map((one) => one.action);
}

function PathBar(props: { path: string[]; go: (path: string[]) => void }): JSX.Element {
  const { path, go } = props;
  return (
    <nav class="path" aria-label="Path from the root">
      <button type="button" class="action" onClick={() => go([])} disabled={path.length === 0}>
        Root
      </button>
      <button type="button" class="action" onClick={() => go(path.slice(0, -1))} disabled={path.length === 0}>
        ← Back
      </button>
      {path.map((label, depth) => (
        <span key={depth}>
          <span aria-hidden="true">›</span>
          <button
            type="button"
            class="step"
            onClick={() => go(path.slice(0, depth + 1))}
            aria-current={depth === path.length - 1 ? "step" : undefined}
          >
            {label}
          </button>
        </span>
      ))}
    </nav>
  );
}

/** `waiting`: the cursor has gone on and the answer is on its way, so these buttons are out of date. */
function Here(props: { place: Place; waiting: boolean; go: (label: string) => void }): JSX.Element {
  const { place, waiting, go } = props;
  if (place.returns !== undefined) {
    return (
      <p>
        The game is over. {place.returns.map((value, player) => `Player ${player} gets ${signed(value)}`).join(", ")}.
      </p>
    );
  }
  if (place.outcomes !== undefined) {
    return (
      <>
        <p>Chance decides (cards are dealt to the first player first). Choose an outcome to go on:</p>
        <div class="row">
          {Object.entries(place.outcomes).map(([label, share], k) => (
            <button type="button" class="action" key={label} disabled={waiting} onClick={() => go(label)} data-outcome={label}>
              {k < 9 && <kbd aria-hidden="true">{k + 1}</kbd>} {label} <span class="quiet">{percent(share)}</span>
            </button>
          ))}
        </div>
      </>
    );
  }
  const actions = place.actions ?? [];
  const values = column(actions.map((one) => one.value));
  const regrets = magnitudes(actions.map((one) => regret(one, place.expected_value)));
  return (
    <>
      <p>
        <b>Player {place.player}</b> decides at <code>{place.infoset}</code>, reached in {percent(place.reach)} of games.
        Expected value for the player: <b>{number(place.expected_value)}</b>.
        {(place.reach ?? 1) < RARE && " Rarely reached: these numbers matter little."}
      </p>
      <div class={`choices ${(place.reach ?? 1) < RARE ? "faded" : ""}`}>
        {actions.map((one, k) => (
          <button type="button" class="choice" key={one.action} disabled={waiting} onClick={() => go(one.action)} data-action={one.action}>
            <ActionSwatch index={k} />
            <b>
              {k < 9 && <kbd aria-hidden="true">{k + 1}</kbd>} {one.action}
            </b>
            <span>{percent(one.probability)}</span>
            <span class="quiet">
              value {values[k]}, regret {regrets[k]}
            </span>
          </button>
        ))}
      </div>
    </>
  );
}

function Beside(props: { places: Record<string, Place>; chosen: string; algorithms: string[] }): JSX.Element {
  const base = props.places[props.chosen]?.actions ?? [];
  const shown = props.algorithms.filter((name) => props.places[name] !== undefined);
  const found = shown.map((name) => props.places[name]!);
  const expected = column(found.map((place) => place.expected_value));
  const regrets = magnitudes(found.map((place) => largestRegret(place.actions ?? [], place.expected_value)));
  const reaches = percents(found.map((place) => place.reach));
  const differences = percents(found.map((place) => mixDifference(place.actions ?? [], base)));
  return (
    <>
    <Scroll label="The same information set in all solutions">
      <table class="beside">
        <thead>
          <tr>
            <th>algorithm</th>
            <th class="bar-cell">mix</th>
            <th>EV</th>
            <th>regret</th>
            <th>reach</th>
            <th>difference</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((name, n) => {
            const place = found[n]!;
            const actions = place.actions ?? [];
            return (
              <tr key={name} class={name === props.chosen ? "chosen" : ""}>
                <td>{name}</td>
                <td class="bar-cell">
                  <Mix
                    actions={actions.map((a) => a.action)}
                    shares={actions.map((a) => a.probability)}
                    faded={(place.reach ?? 1) < RARE}
                  />
                </td>
                <td>{expected[n]}</td>
                <td>{regrets[n]}</td>
                <td>{reaches[n]}</td>
                <td>{name === props.chosen ? "" : differences[n]}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Scroll>
      <p class="quiet">
        EV: what the player gets from here on, on average. Regret of an action: how much better it is than the mix; of a row, that of its best action. Difference: in how
        many of 100 decisions the two would act differently at least. {EQUILIBRIA}
      </p>
    </>
  );
}

/** The share of decisions in which two mixes of the same actions differ. */
function mixDifference(actions: Choice[], others: Choice[]): number {
  return actions.reduce((sum, one, k) => sum + Math.abs(one.probability - (others[k]?.probability ?? 0)), 0) / 2;
}

async function download(job: string, algorithm: string): Promise<void> {
  const query = new URLSearchParams({ algorithm });
  const document_ = await get<{ game: string }>(`/api/jobs/${job}/strategy?${query}`);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(document_)], { type: "application/json" }));
  link.download = `${document_.game}-${algorithm}.json`.replace(/[^\w+.-]+/g, "-");
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
