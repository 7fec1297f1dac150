// A match or tournament while it is played: scores with intervals, the cross table, ratings.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { post } from "../api";
import { GameTable, type ListedGame } from "../game_table";
import { keepKey, keepOrigin, SPECTATOR } from "../keys";
import { navigate } from "../router";
import { JobControls, JobError } from "./job_controls";
import { isLive, messageOf, useJob, visitQuery, type JobEvent } from "./jobs";
import { column, percent, percents, rough } from "./numbers";
import { Scroll } from "./scroll";

type Interval = [number | null, number | null, number | null];
type Score = {
  first: string;
  second: string;
  games: number;
  wins: number;
  draws: number;
  losses: number;
  win_rate: Interval;
};
/** `has_stakes`: games are won by different amounts, which win rates and Elo do not count. */
type Result = Score & { return_mean: Interval; has_stakes?: boolean; facts: Record<string, Interval> };
type Ratings = { has_stakes: boolean; ratings: { name: string; elo: Interval }[]; scores: (number | null)[][] };

/** `pair`: whose games are listed. */
export function MatchJob(props: { id: string; pair: Pair | null }): JSX.Element {
  const job = useJob(props.id);
  const { summary, events } = job;
  const [refused, setRefused] = useState("");
  const begun = events.find((event) => event.type === "begun");
  const scores = latestScores(events);
  const played = scores.reduce((sum, one) => sum + one.games, 0);
  const results = events.filter((event) => event.type === "match") as unknown as Result[];
  const ratings = events.find((event) => event.type === "ratings") as unknown as Ratings | undefined;
  const stakes = ratings?.has_stakes ?? results.some((one) => one.has_stakes); // a stopped match has no ratings
  const agents = (begun?.["agents"] as string[] | undefined) ?? [];
  const seeing = (begun?.["sees_everything"] as string[] | undefined) ?? [];
  const titles = (begun?.["titles"] as Record<string, string> | undefined) ?? {};
  const { pair } = props;
  // The list is there again when one comes back from a game.
  const look = ({ first, second }: Pair) => visitQuery({ job: props.id, first, second });
  const live = isLive(summary);
  return (
    <section class="panel" aria-label="Match" data-testid="match">
      <div class="row spread">
        <p role="status">
          <b>{summary?.title ?? "Match"}</b>{" "}
          <span class={`tag is-${summary?.status ?? ""}`}>{summary?.status ?? (job.gone ? "gone" : "loading")}</span>{" "}
          {begun && `${played.toLocaleString("en")} of ${(begun["total"] as number).toLocaleString("en")} games`}
        </p>
        <JobControls job={job} onError={setRefused} />
      </div>
      {job.gone && (
        <p data-testid="gone">
          The server no longer has this match: it was started again before the match had ended, or many others came since. Results of
          finished matches are kept.
        </p>
      )}
      {begun && live && <progress max={begun["total"] as number} value={played} aria-label="Games played" />}
      <JobError job={job} refused={refused} />
      {scores.length > 0 && <Scores scores={scores} results={results} stakes={stakes} titles={titles} onGames={look} />}
      {seeing.length > 0 && (
        <p class="quiet" data-testid="seeing">
          {seeing.map((name) => titles[name] ?? name).join(" and ")} {seeing.length === 1 ? "sees" : "see"} everything, hidden things too: a yardstick, not a fair
          opponent.
        </p>
      )}
      {pair && <PairGames job={props.id} first={pair.first} second={pair.second} titles={titles} key={`${pair.first} ${pair.second}`} />}
      {ratings && agents.length > 2 && <Table agents={agents} ratings={ratings} titles={titles} />}
    </section>
  );
}

type Pair = { first: string; second: string };

/** The pair of a match whose games an address asks for. */
export function pairOf(query: URLSearchParams): Pair | null {
  const [first, second] = [query.get("first"), query.get("second")];
  return first && second ? { first, second } : null;
}

function latestScores(events: JobEvent[]): Score[] {
  const found = new Map<string, Score>();
  for (const event of events) {
    if (event.type !== "score") continue;
    const score = event as unknown as Score;
    found.set(`${score.first} ${score.second}`, score);
  }
  return [...found.values()];
}

/** The first games of a pair, to be looked at. */
function PairGames(props: { job: string; first: string; second: string; titles: Titles }): JSX.Element {
  const { job, first, second, titles } = props;
  const [one, other] = [first, second].map((name) => titles[name] ?? name);
  const [games, setGames] = useState<ListedGame[] | null>(null);
  const [error, setError] = useState("");
  const ask = <T,>(number?: number) => post<T>(`/api/jobs/${job}/games`, { first, second, number });
  const fail = (problem: unknown) => setError(messageOf(problem));
  useEffect(() => void ask<{ games: ListedGame[] }>().then((found) => setGames(found.games), fail), []);
  const open = (number: number) =>
    void ask<{ id: string; spectator_key: string }>(number).then((made) => {
      keepKey(made.id, SPECTATOR, made.spectator_key, false);
      keepOrigin(made.id, `/arena?${new URLSearchParams({ job, first, second })}`);
      navigate(`/game/${made.id}`);
    }, fail);
  return (
    <section aria-label={`Games of ${one} and ${other}`} data-testid="match-games">
      <h3>
        The first games of {one} – {other}
      </h3>
      {error && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      {games === null && !error && <p class="quiet">Loading…</p>}
      {games !== null && <GameTable games={games} onOpen={open} titles={titles} />}
    </section>
  );
}

type Titles = Record<string, string>;

function Scores(props: { scores: Score[]; results: Result[]; stakes: boolean; titles: Titles; onGames: (pair: Score) => void }): JSX.Element {
  const found = props.scores.map((one) => props.results.find((r) => r.first === one.first && r.second === one.second));
  const means = column(found.map((one) => one?.return_mean[0]), 4);
  const reaches = column(found.map((one) => reach(one?.return_mean)), 2);
  const rates = [0, 1, 2].map((k) => percents(props.scores.map((one) => one.win_rate[k]), 1));
  return (
    <Scroll label="Scores">
      <table class="pairs">
        <thead>
          <tr>
            <th>pair</th>
            <th class="score-cell">win rate of the first, 95 % interval</th>
            <th>won, drawn, lost</th>
            <th>average result of the first, 95 % interval</th>
            <th>games</th>
          </tr>
        </thead>
        <tbody>
          {props.scores.map((one, n) => {
            const [rate, low, high] = one.win_rate;
            const [first, second] = [one.first, one.second].map((name) => props.titles[name] ?? name);
            return (
              <tr key={`${one.first} ${one.second}`}>
                <td>
                  {first} – {second}
                  <br />
                  <span class="quiet" data-testid="in-words">
                    {inWords(props.stakes ? found[n] : undefined, one, first!, second!)}
                  </span>
                </td>
                <td class="score-cell">
                  <span
                    class="rate"
                    role="img"
                    aria-label={`${percent(rate)}, between ${percent(low)} and ${percent(high)}`}
                  >
                    <span class="fill" style={{ width: `${100 * (rate ?? 0)}%` }} />
                    <span class="half" />
                    <span class="range" style={{ left: `${100 * (low ?? 0)}%`, width: `${100 * ((high ?? 1) - (low ?? 0))}%` }} />
                  </span>
                  <span class="quiet">
                    {rates[0]![n]} [{rates[1]![n]}, {rates[2]![n]}]
                  </span>
                </td>
                <td>
                  {one.wins}, {one.draws}, {one.losses}
                </td>
                <td data-testid="mean-return">
                  {means[n]}
                  {reaches[n] && <span class="quiet"> ± {reaches[n]}</span>}
                </td>
                <td>
                  <button type="button" class="step" onClick={() => props.onGames(one)} aria-label={`Look at games of ${first} and ${second}`}>
                    Look at games
                  </button>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Scroll>
  );
}

/** Who won more games, or has the better average `result` where that is given, if it is clear. */
function inWords(result: Result | undefined, score: Score, first: string, second: string): string {
  if (result) {
    const [, least, most] = result.return_mean;
    if (least !== null && least > 0) return `${first} has the better average result`;
    return most !== null && most < 0 ? `${second} has the better average result` : "no clear winner yet";
  }
  const [, low, high] = score.win_rate;
  if (low !== null && low > 0.5) return `${first} wins more games`;
  return high !== null && high < 0.5 ? `${second} wins more games` : "no clear winner yet";
}

/** Half the width of an interval; undefined where it has no ends. */
function reach(interval: Interval | undefined): number | undefined {
  const [, low, high] = interval ?? [];
  return low == null || high == null ? undefined : (high - low) / 2;
}

function Table(props: { agents: string[]; ratings: Ratings; titles: Titles }): JSX.Element {
  const { agents, ratings } = props;
  return (
    <>
      <h2>Ratings and cross table</h2>
      <Scroll label="Ratings and cross table">
        <table class="cross" data-testid="ratings">
          <thead>
            <tr>
              <th>agent</th>
              <th>{ratings.has_stakes ? "Elo, by wins alone" : "Elo"}</th>
              {ratings.ratings.map((one) => (
                <th key={one.name}>{props.titles[one.name] ?? one.name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {ratings.ratings.map(({ name, elo }) => (
              <tr key={name}>
                <td>
                  <b>{props.titles[name] ?? name}</b>
                </td>
                <td title={`between ${rough(elo[1])} and ${rough(elo[2])}`}>
                  {elo[0] === null ? "–" : `${elo[0] > 0 ? "+" : ""}${Math.round(elo[0])}`}
                  {elo[1] !== null && elo[2] !== null && <span class="quiet"> ± {Math.round((elo[2] - elo[1]) / 2)}</span>}
                </td>
                {ratings.ratings.map((other) => {
                  const score = ratings.scores[agents.indexOf(name)]?.[agents.indexOf(other.name)];
                  return <td key={other.name}>{other.name === name ? "·" : percent(score)}</td>;
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {ratings.has_stakes && (
        <p data-testid="stakes">
          In this game one wins more or less. Elo and the percentages count who won, not how much: go by the average result above.
        </p>
      )}
      <p class="quiet">A row's agent scored so much against the column's. Elo is relative to the mean of these agents.</p>
    </>
  );
}
