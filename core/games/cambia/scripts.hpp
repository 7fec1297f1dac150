// The scripted players, move for move those of Python's fogtree.games.cambia.agents, which explains
// them.
#pragma once

#include <string_view>

#include "games/cambia/position.hpp"

namespace fogtree::cambia {

// The scripted players; the first three play at random.
enum class Script : std::uint8_t {
    random,
    random_no_cambia,
    random_late_cambia,
    imperfect_greedy,
    memory_heuristic,
    aggressive_snap,
    greedy  // sees every card
};

// The script with this name in Python; throws std::invalid_argument if there is none.
Script script_named(std::string_view name);

// The number of moves that a random script chooses from: moves 0 to that number - 1. To call Cambia
// is the last move at the start of a turn, and is left out where the script does not call.
int random_choices(Script script, const Rules& rules, const Position& position);

// The number of the legal move that a deterministic script chooses, as in Position::move().
int scripted_move(Script script, const Rules& rules, const Position& position);

// The number of the move that any script chooses; random scripts draw from `source`.
template <class Source>
int choose(Script script, const Rules& rules, const Position& position, Source& source) {
    if (script <= Script::random_late_cambia) {
        return source.below(random_choices(script, rules, position));
    }
    return scripted_move(script, rules, position);
}

}  // namespace fogtree::cambia
