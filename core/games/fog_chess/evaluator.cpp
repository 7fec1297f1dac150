// The weak baseline of Zhang & Sandholm, "General search techniques without common knowledge for
// imperfect-information games, and application to superhuman Fog of War chess" (2025): material and
// the number of visible squares.
// Deviations: the paper does not say how much a square is worth; the constants here are ours.
#include "games/fog_chess/evaluator.hpp"

#include <cmath>

#include "games/fog_chess/kernel.hpp"
#include "games/fog_chess/step.hpp"

namespace fogtree::fog_chess {

namespace {

// Hundredths of a pawn, by the piece's code: pawn, bishop, knight, rook, king, queen.
constexpr float piece_worth[8] = {0, 100, 325, 300, 500, 0, 900, 0};
constexpr float square_worth = 4;  // of a visible square, in hundredths of a pawn
// A pawn up is worth tanh(100 / 543) = 0.18: nine games won for every six lost.
constexpr float squash_scale = 543;
constexpr int fifty_moves = 100;  // plies

// The value of a side's pieces, in hundredths of a pawn.
float material(const Position& position, Color color) {
    const Bitboard own = position.of(color);
    return piece_worth[pawn] * static_cast<float>(count(position.pawns() & own)) +
           piece_worth[knight] * static_cast<float>(count(position.knights() & own)) +
           piece_worth[bishop] * static_cast<float>(count(position.bishops() & own)) +
           piece_worth[rook] * static_cast<float>(count(position.rooks() & own)) +
           piece_worth[queen] * static_cast<float>(count(position.queens() & own));
}

}  // namespace

// Whether the side `by` attacks a square.
bool attacked(const Position& position, int square, Color by) {
    const Bitboard occupied = position.occupied();
    const Bitboard them = position.of(by);
    const Bitboard pawns_from =
        by == black ? diagonals<white>(bit(square)) : diagonals<black>(bit(square));
    return (pawns_from & position.pawns() & them) ||
           (steps.knight[square] & position.knights() & them) ||
           (steps.king[square] & position.kings() & them) ||
           (kernel().rook_attacks(square, occupied) & position.straight_sliders() & them) ||
           (kernel().bishop_attacks(square, occupied) & position.diagonal_sliders() & them);
}

// Whether the king of this colour is attacked.
bool king_attacked(const Position& position, Color color) {
    return attacked(position, first(position.kings() & position.of(color)), other(color));
}

// Whether the rules alone decide a child, by a captured or attacked king, stalemate or fifty moves;
// writes its value for the side that has just moved.
bool ruled(const Position& child, const EvaluatorRules& rules, float* value) {
    const Color mover = other(child.side);
    if (!child.has_king(child.side)) return *value = 1, true;
    if (!child.has_king(mover)) return *value = -1, true;
    if (!kernel().has_move(child)) return *value = rules.stalemate, true;
    if (child.halfmove >= fifty_moves) return *value = 0, true;
    if (king_attacked(child, mover)) return *value = -1, true;
    return false;
}

// Hundredths of a pawn, mapped to between -1 and 1.
float squashed(float centipawns) {
    return std::tanh(centipawns / squash_scale);
}

// The lead of the side to move in material and visible squares, in hundredths of a pawn.
float SimpleEvaluator::centipawns(const Position& position, const EvaluatorRules& rules) {
    const Color us = position.side;
    const Color them = other(us);
    const int ours = count(kernel().sight(position, us, rules.sight).seen);
    const int theirs = count(kernel().sight(position, them, rules.sight).seen);
    return material(position, us) - material(position, them) +
           square_worth * static_cast<float>(ours - theirs);
}

// Writes the values of all children for the side that moves in `parent`.
void SimpleEvaluator::children(const Position& parent, const Move* moves, int size,
                               const EvaluatorRules& rules, float* values) const {
    for (int index = 0; index < size; ++index) {
        const Position child = make(parent, moves[index]);
        if (!ruled(child, rules, values + index))
            values[index] = squashed(-centipawns(child, rules));
    }
}

}  // namespace fogtree::fog_chess
