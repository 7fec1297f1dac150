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

    std::vector<float> strategy;
    std::vector<float> mixed;
    std::vector<float> action_values;
};

}  // namespace fogtree::deep
