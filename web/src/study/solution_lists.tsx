// Lists of a solution: all information sets, and those where two solutions differ most.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { get } from "../api";
import { EQUILIBRIA, RARE, largestRegret, type Listed } from "./infosets";
import { messageOf } from "./jobs";
import { Mix } from "./mix";
import { column, magnitudes, percent, percents } from "./numbers";
import { Scroll } from "./scroll";

/** A list of more rows scrolls within its own box. */
const FEW = 40;

export function InfosetList(props: {
  job: string;
  algorithm: string;
  version: number;
  go: (path: string[]) => void;
}): JSX.Element {
  const [open, setOpen] = useState(false);
  const [contains, setContains] = useState("");
  const [found, setFound] = useState<{ count: number; infosets: Listed[] }>({ count: 0, infosets: [] });
  useEffect(() => {
    if (!open) return;
    let wanted = true;
    const query = new URLSearchParams({ algorithm: props.algorithm, contains });
    get<{ count: number; infosets: Listed[] }>(`/api/jobs/${props.job}/infosets?${query}`)
      .then((list) => wanted && setFound(list))
      .catch(() => undefined);
    return () => {
      wanted = false;
    };
  }, [open, props.job, props.algorithm, props.version, contains]);
  const infosets = [...found.infosets].sort(
    (one, other) => one.player - other.player || one.infoset.length - other.infoset.length || one.infoset.localeCompare(other.infoset, "en"),
  );
  const expected = column(infosets.map((one) => one.expected_value));
  const regrets = magnitudes(infosets.map((one) => largestRegret(one.actions, one.expected_value)));
  const reaches = percents(infosets.map((one) => one.reach));
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)} data-testid="infosets">
      <summary>All information sets of {props.algorithm}</summary>
      <label>
        Name contains
        <input value={contains} onInput={(event) => setContains(event.currentTarget.value)} />
      </label>
      <p class="quiet">
        {found.infosets.length < found.count && `The first ${found.infosets.length} of `}
        {found.count} information sets; faded ones are reached in less than {percent(RARE)} of games.
      </p>
      <Scroll label="Information sets" tall={infosets.length > FEW}>
        <table class="beside">
          <thead>
            <tr>
              <th>information set</th>
              <th class="bar-cell">mix</th>
              <th>EV</th>
              <th>regret</th>
              <th>reach</th>
            </tr>
          </thead>
          <tbody>
            {infosets.map((one, n) => (
              <tr key={one.infoset} class={one.reach < RARE ? "faded" : ""}>
                <td>
                  <button type="button" class="step" onClick={() => props.go(one.path)}>
                    {one.infoset}
                  </button>{" "}
                  <span class="quiet">player {one.player}</span>
                </td>
                <td class="bar-cell">
                  <Mix actions={one.actions.map((a) => a.action)} shares={one.actions.map((a) => a.probability)} />
                </td>
                <td>{expected[n]}</td>
                <td>{regrets[n]}</td>
                <td>{reaches[n]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </details>
  );
}

type Difference = {
  infoset: string;
  actions: string[];
  first: number[];
  second: number[];
  difference: number;
  reach: number;
  path: string[];
};

export function Differences(props: {
  job: string;
  algorithms: string[];
  version: number;
  go: (path: string[]) => void;
}): JSX.Element {
  const { algorithms } = props;
  const [open, setOpen] = useState(false);
  const [chosen, setChosen] = useState<{ first?: string; second?: string }>({});
  const [found, setFound] = useState<{ first: string; second: string; rows?: Difference[]; error?: string } | null>(null);
  // Algorithms come one after the other: as long as nothing is chosen, the last one is compared.
  const first = chosen.first ?? algorithms[0]!;
  const second = chosen.second ?? algorithms.at(-1)!;
  const shown = found?.first === first && found.second === second ? found : null;
  useEffect(() => {
    if (!open) return;
    let wanted = true;
    const query = new URLSearchParams({ first, second });
    get<{ differences: Difference[] }>(`/api/jobs/${props.job}/difference?${query}`).then(
      ({ differences }) => wanted && setFound({ first, second, rows: differences }),
      (problem: unknown) => wanted && setFound({ first, second, error: messageOf(problem) }),
    );
    return () => {
      wanted = false;
    };
  }, [open, first, second, props.job, props.version]);
  const choice = (name: string, value: string, set: (value: string) => void) => (
    <label>
      {name}
      <select value={value} onChange={(event) => set(event.currentTarget.value)}>
        {algorithms.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    </label>
  );
  const rows = shown?.rows ?? [];
  const cells = [
    percents(rows.map((row) => row.difference)),
    percents(rows.map((row) => row.reach)),
    percents(rows.map((row) => row.difference * row.reach)),
  ];
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)} data-testid="differences">
      <summary>Where two solutions differ most</summary>
      <div class="row">
        {choice("First", first, (name) => setChosen({ ...chosen, first: name }))}
        {choice("Second", second, (name) => setChosen({ ...chosen, second: name }))}
      </div>
      <p class="quiet">
        Difference: how much of the mix differs. Weight: the difference times how often {first} gets there; the largest comes first.{" "}
        {EQUILIBRIA}
      </p>
      {rows.length === 0 ? (
        <p class="quiet">{shown === null ? "Comparing…" : (shown.error ?? "They play the same everywhere.")}</p>
      ) : (
        <Scroll label="Differences" tall>
          <table class="beside">
            <thead>
              <tr>
                <th>information set</th>
                <th class="bar-cell">
                  {first} above, {second} below
                </th>
                <th>difference</th>
                <th>× reach</th>
                <th>= weight</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row, n) => (
                <tr key={row.infoset} class={row.reach < RARE ? "faded" : ""}>
                  <td>
                    <button type="button" class="step" onClick={() => props.go(row.path)}>
                      {row.infoset}
                    </button>
                  </td>
                  <td class="bar-cell">
                    <Mix actions={row.actions} shares={row.first} />
                    <Mix actions={row.actions} shares={row.second} />
                  </td>
                  {cells.map((column, k) => (
                    <td key={k}>{column[n]}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </details>
  );
}
