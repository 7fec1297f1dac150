// Values of positions from 1 (the mover wins) to -1, for all children of a position in one call.
#pragma once

#include <cstdint>

#include "games/fog_chess/position.hpp"
#include "games/fog_chess/sight.hpp"

namespace fogtree::fog_chess {

// The rules that an evaluator needs to know.
struct EvaluatorRules {
    SightRules sight;
    float stalemate = 1;  // the value, for the other side, of a position without a move
};

// The interface of all evaluators.
class Evaluator {
public:
    virtual ~Evaluator() = default;
    // The value of each child for the side that moves in `parent`. Children that the rules decide
    // are scored by the rules: see ruled().
    virtual void children(const Position& parent, const Move* moves, int count,
                          const EvaluatorRules& rules, float* values) const = 0;
};

// Whether the rules decide a child: its value for the side that has just moved is then written.
// Won: the king was taken, or the other side has no move. Lost: the own king can be taken next.
// Drawn: fifty moves.
bool ruled(const Position& child, const EvaluatorRules& rules, float* value);

// Whether a side has a piece that could take on the square.
bool attacked(const Position& position, int square, Color by);
// Whether the other side could take this side's king, if it were the other side's turn.
bool king_attacked(const Position& position, Color color);

// A value in hundredths of a pawn, mapped to between -1 and 1.
float squashed(float centipawns);

// Material and visible squares, with no data.
class SimpleEvaluator : public Evaluator {
public:
    void children(const Position& parent, const Move* moves, int count, const EvaluatorRules& rules,
                  float* values) const override;
    // For the side to move, in hundredths of a pawn.
    static float centipawns(const Position& position, const EvaluatorRules& rules);
};

}  // namespace fogtree::fog_chess
