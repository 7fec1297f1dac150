// How a game is traversed to gather samples.
#pragma once

#include <cstdint>

namespace fogtree::deep {

// Which actions of the traverser a walk tries, and where their values come from.
enum class Method : std::uint8_t {
    external,  // every action of the traverser
    outcome,   // one of them, importance weighted
    robust,    // a few of them, importance weighted
    escher,    // one game; a value network estimates the actions' values
    rollout,   // one game; each action's value is from one game played to its end
    value,     // one game; its returns, for training the value network
    selfplay   // one game; every decision with its strategy, the action taken and the return
};

// The options of a walk.
struct Options {
    Method method = Method::external;
    float epsilon = 0.6f;           // share of the uniform strategy where the traverser explores
    int tried = 2;                  // actions of the traverser that `robust` tries per decision
    int depth = 0;                  // decisions after which values are estimated; 0: no limit
    bool uniform_fallback = false;  // with no positive advantage: uniform, not the best action
    std::uint32_t softmax = 0;      // bit p is set if the network of player p gives logarithms of
                                    // a strategy, not advantages
};

}  // namespace fogtree::deep
