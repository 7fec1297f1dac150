// How a game is traversed to gather samples.
#pragma once

#include <cstdint>

namespace fogtree::deep {

enum class Method : std::uint8_t {
    external,  // every action of the traverser
    outcome,   // one of them, importance weighted
    robust,    // a few of them, importance weighted
    escher,    // one game; a value network says what each action is worth
    rollout,   // one game; a game played out from each action says what it is worth
    value      // one game; what it returned, for training the value network
};

struct Options {
    Method method = Method::external;
    float epsilon = 0.6f;           // share of the uniform strategy where the traverser explores
    int tried = 2;                  // actions of the traverser under `robust`
    int depth = 0;                  // decisions after which values are estimated; 0: no limit
    bool uniform_fallback = false;  // with no positive advantage: uniform, not the best action
    std::uint32_t softmax = 0;      // a bit for each player whose network gives logarithms of a
                                    // strategy, not advantages
    bool summary = false;           // keep no samples, only what they say on average
};

}  // namespace fogtree::deep
