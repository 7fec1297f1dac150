// Fog-of-War chess positions valued by a Stockfish network.
#pragma once

#include <array>
#include <string>

#include "features.hpp"
#include "fogchess/evaluator.hpp"
#include "inference.hpp"

namespace fogtree::nnue {

// Both sides' halves of the first layer.
struct Accumulator {
    Half half[2];
};

class StockfishNet : public fogchess::Evaluator {
public:
    // With quiescence a child's value is that after the best captures of either side.
    StockfishNet(const std::string& path, bool quiescence);

    const std::string& description() const { return network_.description; }
    // For the side to move, in Stockfish's units; both kings must be on the board.
    int evaluate(const Position& position) const;
    // What each of the eight stacks would say.
    std::array<Output, buckets> trace(const Position& position) const;
    // The value for the side to move after captures, in the same units.
    int quiesce(const Position& position) const;
    void children(const Position& parent, const Move* moves, int count,
                  const fogchess::EvaluatorRules& rules, float* values) const override;
    // "avx2" or "portable"; false if this processor has none of that name.
    bool choose(const char* name);

private:
    void refresh(const Position& position, Color viewer, Half& out) const;
    void advance(const Position& child, const Change& change, const Accumulator& from,
                 Accumulator& out) const;
    Output output(const Accumulator& accumulator, Color side, int bucket) const;

    int quiesce(const Position& position, const Accumulator& accumulator, int alpha, int beta,
                int ply) const;
    int scaled(const Accumulator& accumulator, const Position& position) const;

    Network network_;
    bool quiescence_;
    const Inference* inference_ = &inference();
};

// Stockfish's units in hundredths of a pawn.
float centipawns(int value);

}  // namespace fogtree::nnue
