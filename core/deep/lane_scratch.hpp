// What a lane needs while it goes on and not while it waits: one for all lanes of a thread, so that
// it stays in the cache.
#pragma once

#include <vector>

#include "game.hpp"

namespace fogtree::deep {

struct LaneScratch {
    explicit LaneScratch(const Shape& shape)
        : strategy(static_cast<std::size_t>(shape.most_actions)),
          mixed(strategy.size()),
          worth(strategy.size()) {}

    std::vector<float> strategy;
    std::vector<float> mixed;
    std::vector<float> worth;
};

}  // namespace fogtree::deep
