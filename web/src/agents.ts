// The agents of a game. They have the same names on every page and on the command line.
import type { Agents, GameInfo } from "./games";
import { useSpecAnswer } from "./spec_answer";

/** Opponents that make a good first game, the best first. */
const FIRST_CHOICES = ["equilibrium", "memory_heuristic", "imperfect_greedy", "search", "greedy", "random"];

/** `ready`: the server has answered for these parameters. */
type Offered = { agents: Agents | null; error: string; ready: boolean };

/** The agents that can play a game with these parameters, and what is wrong with the parameters. */
export function useAgents(game: GameInfo | undefined, spec: string): Offered {
  const usual = game === undefined || spec === game.name;
  const found = useSpecAnswer<Agents>("/api/agents", usual ? null : spec);
  if (usual) return { agents: game ?? null, error: "", ready: true };
  // Until the server has answered, the agents of before stay.
  const ready = found?.spec === spec;
  return { agents: found?.answer ?? game, error: ready ? found.error : "", ready };
}

/** The opponent of a first game. */
export function firstOpponent(agents: Agents): string {
  return FIRST_CHOICES.find((one) => agents.opponents.includes(one)) ?? agents.opponents[0] ?? "random";
}

/** The agents of a first match: quick ones that see only what they may. */
export function firstContestants(agents: Agents): string[] {
  const good = agents.opponents.filter((one) => FIRST_CHOICES.includes(one));
  const quick = good.filter((one) => one !== "search");
  return (quick.length > 1 ? quick : good).slice(0, 3);
}

/** An agent's name, with a word on those that see everything. */
export function markedName(agents: Agents, name: string): string {
  const title = titleOfAgent(agents, name);
  return agents.sees_everything.includes(name) ? `${title} (sees everything)` : title;
}

export function titleOfAgent(agents: Agents, name: string): string {
  return agents.agent_titles[name] ?? name;
}

/** An opponent in a list: "Memory heuristic, medium". */
export function opponentText(agents: Agents, name: string): string {
  const level = agents.agent_levels[name];
  return level ? `${titleOfAgent(agents, name)}, ${level}` : titleOfAgent(agents, name);
}
