// A table of recorded games, each with a button that opens its review.
import type { JSX } from "preact";
import { titleOf } from "./games";
import { worth } from "./values";

export type ListedGame = { number: number; game: string; agents: string[]; steps: number; returns: number[] };

/** ``titles``: what people call the agents. */
export function GameTable(props: {
  games: ListedGame[];
  onOpen: (number: number) => void;
  titles?: Record<string, string>;
}): JSX.Element {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Games">
      <table>
        <thead>
          <tr>
            <th scope="col">Game</th>
            <th scope="col" class="words">
              Players
            </th>
            <th scope="col">Steps</th>
            <th scope="col">Result</th>
          </tr>
        </thead>
        <tbody>
          {props.games.map((one) => (
            <tr key={one.number}>
              <td>
                <button type="button" class="step" data-game={one.number} onClick={() => props.onOpen(one.number)}>
                  Open {one.number}
                </button>
              </td>
              <td class="words">
                {one.agents.map((name) => props.titles?.[name] ?? name).join(" – ")}{" "}
                {!props.titles && <span class="quiet">{titleOf(one.game.split("(")[0]!)}</span>}
              </td>
              <td>{one.steps}</td>
              <td>{one.returns.map(worth).join(", ")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
