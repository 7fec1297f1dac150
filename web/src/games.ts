// The games that the server knows.
import { useEffect, useState } from "preact/hooks";
import { get } from "./api";
import { gameParts } from "./registry";

export type GameParameter = {
  name: string;
  default: unknown;
  help: string;
  kind: "text" | "whole number" | "number" | "switch" | "list";
  minimum: number | null;
  maximum: number | null;
  choices: string[];
  /** Whether it is for tests and experiments. */
  advanced: boolean;
};

/** The agents that can play a game with certain parameters. */
export type Agents = {
  agents: string[];
  /** Those that are told hidden things too: for comparison, not against people. */
  sees_everything: string[];
  /** Those that may play against people. */
  opponents: string[];
  /** What people call each agent, and how strong it is where that is known. */
  agent_titles: Record<string, string>;
  agent_levels: Record<string, "easy" | "medium" | "hard" | null>;
  /** What each agent does, in a sentence or two. */
  agent_summaries: Record<string, string>;
  /** Why other agents of the game do not play with these parameters, in a sentence each. */
  not_offered: Record<string, string>;
};

/** One strength of a game's opponents; a number is its place, counted from 1. */
export type Level = {
  /** How it plays, in a few words. */
  name: string;
  /** The agent that plays at this level. */
  agent: string;
  /** Its measured rating, and half of its 95 % interval. */
  elo: number;
  margin: number;
  /** Usual time per move, and whether it plays better with more. */
  seconds: number;
  uses_time: boolean;
};

/** A game with its usual parameters. */
export type GameInfo = Agents & {
  name: string;
  summary: string;
  /** The rules in a few sentences. */
  rules: string;
  /** How to read a player's view and the names of information sets. */
  reading: string;
  /** Why it cannot be solved with its usual parameters; null if it can. */
  too_large: string | null;
  /** Whether solvers can sample it without compiling it, and whether networks can be trained without that. */
  sampled: boolean;
  trained: boolean;
  players: number;
  /** Versions to choose from, each with the parameters that differ from their defaults; the first one is usual. */
  sizes: Record<string, Record<string, string>>;
  parameters: GameParameter[];
  /** Strengths of opponents, the weakest first; empty if the game has none. */
  levels: Level[];
  seats: string[];
};

export function useGames(): { games: GameInfo[]; error: string } {
  const [games, setGames] = useState<GameInfo[]>([]);
  const [error, setError] = useState("");
  useEffect(() => {
    get<{ games: GameInfo[] }>("/api/games").then(
      (found) => setGames(found.games),
      (problem: Error) => setError(problem.message),
    );
  }, []);
  return { games, error };
}

/** What people call a game: "some_game" is "Some game" where it has no title of its own. */
export function titleOf(name: string): string {
  const [file, own] = name.split(":");
  if (own !== undefined) return `${own} (${file})`;
  const words = name.replaceAll("_", " ");
  return gameParts(name).title ?? words[0]!.toUpperCase() + words.slice(1);
}

/** A game with its parameters: "some_game(players=3)" is "Some game (players=3)". */
export function specTitle(spec: string): string {
  const [name, ...rest] = spec.split("(");
  return [titleOf(name!), ...rest].join(" (");
}

/** What people call one round of a game: a hand of cards, or a game. */
export function roundOf(name: string): "hand" | "game" {
  return gameParts(name).round ?? "game";
}

/** The page on which a game is started. */
export function pageOf(name: string): string {
  return gameParts(name).pages?.[0]?.path ?? `/play/${name}`;
}

/** A game's spec with those parameters that differ from their defaults. */
export function specOf(game: GameInfo, values: Record<string, string>): string {
  const given = game.parameters.flatMap((one) => {
    const value = values[one.name];
    if (value === undefined || value === defaultText(one)) return [];
    return [`${one.name}=${literal(one, value)}`];
  });
  return given.length > 0 ? `${game.name}(${given.join(", ")})` : game.name;
}

export function defaultText(one: GameParameter): string {
  if (one.default === null) return "";
  return Array.isArray(one.default) ? one.default.join(", ") : String(one.default);
}

function literal(one: GameParameter, value: string): string {
  if (value === "true") return "True";
  if (value === "false") return "False";
  if (Array.isArray(one.default)) return `[${value}]`;
  return value !== "" && !Number.isNaN(Number(value)) ? value : JSON.stringify(value);
}

/** The settings of a text like some_game(ranks=4, suits=2), as the fields show them. */
export function readValues(text: string): Record<string, string> {
  const inner = /^[^(]+\((.*)\)$/.exec(text)?.[1] ?? "";
  const found: Record<string, string> = {};
  for (const [, key, value] of inner.matchAll(/(\w+)=("[^"]*"|[([][^)\]]*[)\]]|[^,]+)/g)) {
    const plain = value!.trim().replace(/^["([](.*?),?["\])]$/, "$1");
    found[key!] = { True: "true", False: "false" }[plain] ?? plain;
  }
  return found;
}
