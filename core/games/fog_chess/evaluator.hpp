// Values of positions from 1 (the mover wins) to -1, for all children of a position in one call.
#pragma once

#include <cstdint>

#include "games/fog_chess/position.hpp"
#include "games/fog_chess/sight.hpp"

namespace fogtree::fog_chess {

// The rules that an evaluator needs to know.
struct EvaluatorRules {
    SightRules sight;
    float stalemate = 1;  // the value of a position without a move for the side that moved last
};

// The interface of all evaluators.
class Evaluator {
public:
    virtual ~Evaluator() = default;
    // Writes the value of each child, the position after each of the moves, for the side that moves
    // in `parent`. Children that the rules decide are valued by ruled().
    virtual void children(const Position& parent, const Move* moves, int count,
                          const EvaluatorRules& rules, float* values) const = 0;
};

// Whether the rules decide a child; its value for the side that has just moved is then written: 1
// if that side took the king, -1 if its own king is gone or can be taken next, 0 after fifty moves
// without capture or pawn move, rules.stalemate if the other side has no move.
bool ruled(const Position& child, const EvaluatorRules& rules, float* value);

// Whether a side attacks a square: one of its pieces could capture there.
bool attacked(const Position& position, int square, Color by);
// Whether a side's king, which must be on the board, is attacked by the other side.
bool king_attacked(const Position& position, Color color);

// A value in hundredths of a pawn, mapped to between -1 and 1 by tanh.
float squashed(float centipawns);

// Values positions by material and the number of visible squares; it needs no data.
class SimpleEvaluator : public Evaluator {
public:
    void children(const Position& parent, const Move* moves, int count, const EvaluatorRules& rules,
                  float* values) const override;
    // The value for the side to move, in hundredths of a pawn.
    static float centipawns(const Position& position, const EvaluatorRules& rules);
};

}  // namespace fogtree::fog_chess
