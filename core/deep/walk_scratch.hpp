// Memory that a walk uses only while it runs, not while it is suspended. All walks of a thread
// share one, so that it stays in the cache.
#pragma once

#include <vector>

#include "deep/game.hpp"

namespace fogtree::deep {

// Memory that all walks of a thread share: room for one number per action of a decision.
struct WalkScratch {
    explicit WalkScratch(const Shape& shape)
        : strategy(static_cast<std::size_t>(shape.most_actions)),
          mixed(strategy.size()),
          action_values(strategy.size()) {}

    std::vector<float> strategy;       // of the mover
    std::vector<float> mixed;          // the strategy with exploration, or ESCHER's regrets
    std::vector<float> action_values;  // for the traverser, from the value network
};

}  // namespace fogtree::deep
