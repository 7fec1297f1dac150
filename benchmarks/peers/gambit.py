"""Any sequential OpenSpiel game as the text of a Gambit extensive-form file.

OpenSpiel's own exporter needs minutes for a few hundred thousand histories.
"""

from __future__ import annotations

from typing import Any


def gambit_tree(game: Any) -> tuple[str, int]:
    """Return the file's text and the game's number of information sets."""
    players = game.num_players()
    names = " ".join(f'"{player}"' for player in range(players))
    lines = [f'EFG 2 R "game" {{ {names} }}']
    infosets: list[dict[str, int]] = [{} for _ in range(players)]
    pending = [game.new_initial_state()]
    chance_nodes = outcomes = 0
    while pending:
        state = pending.pop()
        if state.is_terminal():
            outcomes += 1
            payoffs = " ".join(repr(value) for value in state.returns())
            lines.append(f't "" {outcomes} "" {{ {payoffs} }}')
            continue
        if state.is_chance_node():
            chance_nodes += 1
            moves = state.chance_outcomes()
            actions = [action for action, _ in moves]
            listed = " ".join(f'"{action}" {probability!r}' for action, probability in moves)
            lines.append(f'c "" {chance_nodes} "" {{ {listed} }} 0')
        else:
            player, actions = state.current_player(), state.legal_actions()
            known = infosets[player]
            number = known.setdefault(state.information_state_string(), len(known) + 1)
            listed = " ".join(f'"{action}"' for action in actions)
            lines.append(f'p "" {player + 1} {number} "" {{ {listed} }} 0')
        pending.extend(state.child(action) for action in reversed(actions))
    return "\n".join(lines) + "\n", sum(map(len, infosets))
