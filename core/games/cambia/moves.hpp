// Actions in their parts, and their numbers: 146 with two players, more with more.
#pragma once

#include <cstdint>

#include "games/cambia/rules.hpp"

namespace fogtree::cambia {

// The kinds of actions, in the order of their numbers.
enum class Kind : std::uint8_t {
    draw,
    draw_discard,
    cambia,
    discard,
    discard_ability,
    replace,
    look_own,
    look_other,
    blind_swap,
    king_look,
    king_keep,
    king_swap,
    pass,
    snap_own,
    snap_other,
    fill_gap
};

// An action in its parts.
struct Move {
    Kind kind = Kind::pass;
    std::uint8_t own = 0;       // which own slot
    std::uint8_t opponent = 0;  // which opponent: 0 is the next in turn order
    std::uint8_t slot = 0;      // which slot of that opponent
};

// The number of actions that exist in a game with this many players, legal or not.
int action_count(int players);
// The number of an action, from 0 to action_count() - 1, and the action with a number.
int action_of(const Move& move, int players);
Move move_of(int action, int players);

}  // namespace fogtree::cambia
