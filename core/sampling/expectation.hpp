// Exact expectations of sampled updates, by enumerating all walks.
#pragma once

#include <cstdint>
#include <vector>

#include "sampling/walk.hpp"
#include "tree/flat_tree.hpp"

namespace fogtree {

// The expected changes of regrets and averages by a player's walks, per slot, and how many walks
// were enumerated.
struct Expectation {
    std::vector<double> regret, average;
    std::uint64_t walks = 0;
    double probability = 0;  // of all walks together
};

// The exact expectation, over all walks of `traverser`, of what they add to the table. Outcome
// sampling makes `together` walks that learn when all have ended; for other schemes it is 1.
// `regret` gives the strategy that is played, `average` the one that average-strategy sampling
// draws by; `baseline` has, per information set, the baselines of the actions for player 0, then
// for player 1, ...
Expectation expectation(const FlatTree& tree, const SchemeOptions& options, int traverser,
                        const std::vector<double>& regret, const std::vector<double>& average,
                        const std::vector<double>& baseline, int together = 1);

}  // namespace fogtree
