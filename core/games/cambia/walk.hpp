// Random games and external sampling under the uniform strategy, to measure how fast the rules run.
#pragma once

#include <cstdint>

#include "games/cambia/position.hpp"

namespace fogtree::cambia {

// Counts over random games.
struct Tally {
    std::int64_t games = 0;
    std::int64_t actions = 0;  // decisions taken
    std::int64_t turns = 0;
    std::int64_t deadlocks = 0;  // games that stopped for want of a legal action
    double first_returns = 0;    // the sum of player 0's payoffs
};

// Plays games with uniformly random moves, and counts what happens in them.
Tally random_games(const Rules& rules, std::int64_t games, std::uint64_t seed);

// The result of external-sampling traversals.
struct Traversal {
    std::int64_t nodes = 0;  // decisions and ends of games visited, by all traversals
    double value = 0;        // mean estimate of player 0's value, over player 0's traversals
};

// M. Lanctot et al., "Monte Carlo sampling for regret minimization in extensive games", NIPS 2009:
// every action of the traverser is explored, actions of others and chance are sampled.
// Deviations: the strategy is uniform and nothing is learnt; players traverse in turn.
Traversal external_sampling(const Rules& rules, std::int64_t traversals, std::uint64_t seed);

}  // namespace fogtree::cambia
