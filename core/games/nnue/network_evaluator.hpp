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
    // With quiescence a child's value is that after the best captures of either side.
    NetworkEvaluator(Network network, bool quiescence);

    const Network& network() const { return network_; }
    // For the side to move, in the network's units; both kings must be on the board.
    int evaluate(const Position& position) const;
    // The outputs of all stacks.
    std::vector<Output> trace(const Position& position) const;
    void children(const Position& parent, const Move* moves, int count,
                  const fog_chess::EvaluatorRules& rules, float* values) const override;
    // "avx512", "avx2" or "portable"; false if this processor has none of that name.
    bool choose(const char* name);

private:
    Network network_;
    bool quiescence_;
    const Inference* inference_ = &inference();
    mutable Memories memories_;
};

}  // namespace fogtree::nnue
