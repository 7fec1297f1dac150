// Random games and external sampling under the uniform strategy, as fast as the rules go.
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
    double first_returns = 0;    // what player 0 got, summed
};

Tally random_games(const Rules& rules, std::int64_t games, std::uint64_t seed);

// What traversals met, and the value they estimate.
struct Traversal {
    std::int64_t nodes = 0;  // decisions and endings visited
    double value = 0;        // mean estimate of the traverser's value
};

// M. Lanctot et al., "Monte Carlo sampling for regret minimization in extensive games", NIPS 2009:
// every action of the traverser is explored, actions of others and chance are sampled.
// Deviations: the strategy is uniform and nothing is learnt; players traverse in turn.
Traversal external_sampling(const Rules& rules, std::int64_t traversals, std::uint64_t seed);

}  // namespace fogtree::cambia
