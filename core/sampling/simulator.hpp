// The requirements of a game for sampling: states that can be copied and stepped forward.
//
// `key()` is a hash of the mover's information set, with the player: equal for positions that the
// mover cannot tell apart, and different for all others up to a collision of 64-bit hashes. Under
// an abstraction more positions share a key, but only positions with the same actions.
#pragma once

#include <concepts>
#include <cstdint>

#include "common/random.hpp"
#include "tree/flat_tree.hpp"

namespace fogtree {

// The form of a position: who moves and about how many actions there are, as one small number. Each
// mover, from kTerminal on, has four: one action, up to 4, up to 8, more or unknown. A game that
// has it at hand may offer `form(state)`, one whose states may stand for several histories
// `histories(state)`.
inline std::uint8_t form_of(int player, int actions = 9) {
    const int width = (actions > 1 ? 1 : 0) + (actions > 4 ? 1 : 0) + (actions > 8 ? 1 : 0);
    return static_cast<std::uint8_t>((player - kTerminal) * 4 + width);
}

// The mover of a form, as form_of() takes it.
inline int player_of(unsigned form) {
    return static_cast<int>(form / 4) + kTerminal;
}
inline constexpr int kMostPlayers = 60;  // a form fits in a byte

template <class Game>
concept Simulator =
    requires(const Game& game, typename Game::State state, CounterRandom& random, int n) {
        { game.players() } -> std::convertible_to<int>;
        { game.root() } -> std::same_as<typename Game::State>;
        { game.player(state) } -> std::convertible_to<int>;   // or kChance, kTerminal
        { game.actions(state) } -> std::convertible_to<int>;  // at a player's position
        { game.key(state) } -> std::convertible_to<std::uint64_t>;
        { game.payoff(state, n) } -> std::convertible_to<double>;  // at the end, for player n
        game.step(state, n);                                       // the mover's action n
        game.sample(state, random);                                // a chance position's outcome
    };

// An object to be held while a game is walked, such as the lock of an interpreter: the game's
// `guard()`, or `true` if it has none.
template <class Game>
auto guard_of(const Game& game) {
    if constexpr (requires { game.guard(); }) {
        return game.guard();
    } else {
        return true;
    }
}

// The number of histories that a state stands for: the game's `histories(state)`, or 1.
template <class Game>
unsigned histories(const Game& game, const typename Game::State& state) {
    if constexpr (requires { game.histories(state); }) {
        return game.histories(state);
    } else {
        return 1;
    }
}

}  // namespace fogtree
