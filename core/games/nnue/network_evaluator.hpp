// Fog-of-War chess positions valued by a network.
#pragma once

#include <array>
#include <string>

#include "games/fog_chess/evaluator.hpp"
#include "games/nnue/accumulator.hpp"

namespace fogtree::nnue {

// An evaluator that asks a network.
class NetworkEvaluator : public fog_chess::Evaluator {
public:
    // With quiescence a child is valued after the best captures of either side, see quiescence.hpp.
    NetworkEvaluator(Network network, bool quiescence);

    const Network& network() const { return network_; }
    // The network's value for the side to move, in its units; both kings must be on the board.
    int evaluate(const Position& position) const;
    // The outputs of all stacks.
    std::vector<Output> trace(const Position& position) const;
    void children(const Position& parent, const Move* moves, int count,
                  const fog_chess::EvaluatorRules& rules, float* values) const override;
    // Uses the inference "avx512", "avx2" or "portable" from now on; false if this processor does
    // not have it.
    bool choose(const char* name);

private:
    Network network_;
    bool quiescence_;
    const Inference* inference_ = &inference();
    mutable Memories memories_;
};

}  // namespace fogtree::nnue
