// Traversals of a compiled tree for deep learning.
#pragma once

#include "deep/game_engine.hpp"
#include "deep/tree_game.hpp"

namespace fogtree::deep {

extern template class GameEngine<TreeGame>;

// The engine of a compiled game.
class TreeEngine : public GameEngine<TreeGame> {
public:
    using GameEngine::GameEngine;

    // The exact means of a traversal's samples: sums of weight times number, by slot.
    struct Expectation {
        std::vector<double> regret;
        std::vector<double> strategy;
        std::vector<double> visits;  // by information set: mean number of its regret samples
        double value = 0;            // of the game for the traverser
        double probability = 0;      // of all walks together: 1
        std::int64_t walks = 0;
    };
    // Computes them by enumerating all random choices of a traversal.
    Expectation expectation(const Options& options, const Networks& networks, int traverser) const;
};

}  // namespace fogtree::deep
