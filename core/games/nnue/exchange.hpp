// The gain of a series of captures on one square (static exchange evaluation).
#pragma once

#include "games/fog_chess/position.hpp"

namespace fogtree::nnue {

// Piece values in an exchange, in Stockfish's units of 361 to a pawn's advantage, by the
// piece's code: pawn, bishop, knight, rook, king, queen.
inline constexpr int exchange_worth[8] = {0, 210, 915, 855, 1380, 20000, 2680, 0};

// Whether a capture, and the best captures on its square that follow, win at least `wanted`.
bool wins_at_least(const fog_chess::Position& position, fog_chess::Move move, int wanted);

}  // namespace fogtree::nnue
