#include "games/nnue/network_evaluator.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

#include "games/fog_chess/step.hpp"
#include "games/nnue/quiescence.hpp"

namespace fogtree::nnue {

using namespace fog_chess;

namespace {

// The output of one stack for a side, as if it were to move.
Output output(const Memory& memory, const Accumulator& accumulator, Color side, int stack) {
    return memory.inference().evaluate(memory.network(), accumulator.half[side],
                                       accumulator.half[other(side)], stack);
}

// Throws unless both kings are on the board.
void need_kings(const Position& position) {
    if (position.king_captured()) throw std::invalid_argument("the network needs both kings");
}

}  // namespace

NetworkEvaluator::NetworkEvaluator(Network network, bool quiescence)
    : network_(std::move(network)), quiescence_(quiescence) {}

// Uses the inference of this name from now on; false if there is none.
bool NetworkEvaluator::choose(const char* name) {
    const Inference* wanted = find_inference(name);
    if (!wanted) return false;
    inference_ = wanted;
    memories_.clear();
    return true;
}

// The outputs of all stacks of the network.
std::vector<Output> NetworkEvaluator::trace(const Position& position) const {
    need_kings(position);
    const Memories::Loan memory(memories_, network_, *inference_);
    Accumulator accumulator;
    (*memory).recall(position, accumulator);
    std::vector<Output> outputs;
    for (int stack = 0; stack < static_cast<int>(network_.stacks.size()); ++stack)
        outputs.push_back(output(*memory, accumulator, position.side, stack));
    return outputs;
}

// The value for the side to move, in the network's units.
int NetworkEvaluator::evaluate(const Position& position) const {
    need_kings(position);
    const Memories::Loan memory(memories_, network_, *inference_);
    Accumulator accumulator;
    (*memory).recall(position, accumulator);
    const int stack = network_.stack_for(count(position.occupied()));
    return output(*memory, accumulator, position.side, stack).value();
}

// Writes the values of all children, from -1 to 1, for the side that moves in `parent`.
void NetworkEvaluator::children(const Position& parent, const Move* moves, int size,
                                const EvaluatorRules& rules, float* values) const {
    if (parent.king_captured()) return;
    const Memories::Loan loan(memories_, network_, *inference_);
    Memory& memory = *loan;
    Quiescence quiet(memory);
    Accumulator before;
    Accumulator after;
    memory.recall(parent, before);
    for (int index = 0; index < size; ++index) {
        const Position child = make(parent, moves[index]);
        if (ruled(child, rules, values + index)) continue;
        memory.advance(parent, child, change_of(parent, moves[index]), before, after);
        const int stack = network_.stack_for(count(child.occupied()));
        const int value = quiescence_ ? quiet.value(child, after)
                                      : output(memory, after, child.side, stack).value();
        values[index] = std::tanh(static_cast<float>(-value) / network_.unit);
    }
}

}  // namespace fogtree::nnue
