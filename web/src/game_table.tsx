// A table of recorded games, each with a button that opens its review.
import type { JSX } from "preact";

export type ListedGame = { number: number; game: string; agents: string[]; steps: number; returns: number[] };

export function GameTable(props: { games: ListedGame[]; onOpen: (number: number) => void }): JSX.Element {
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
            <th scope="col">Returns</th>
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
                {one.agents.join(" – ")} <span class="quiet">{one.game}</span>
              </td>
              <td>{one.steps}</td>
              <td>{one.returns.join(", ")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
