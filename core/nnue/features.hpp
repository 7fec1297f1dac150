// Which inputs of the network a position switches on.
#pragma once

#include "fogchess/position.hpp"

namespace fogtree::nnue {

using fogchess::Color;
using fogchess::Move;
using fogchess::Piece;
using fogchess::Position;

// One piece on one square.
struct Placed {
    Color color;
    Piece piece;
    int square;
};

// What a move takes away and puts down: at most a mover, a victim and a castling rook.
struct Change {
    Placed removed[2];
    Placed added[2];
    int removals = 0;
    int additions = 0;
};

// The feature of a piece as the side `viewer` with its king on `king` sees it. The board is turned
// so that the viewer plays upwards and has the king on the files e to h.
FOGTREE_INLINE int feature(Color viewer, int king, const Placed& placed) {
    // By the piece's code: pawn, bishop, knight, rook, king, queen. Kings share one plane.
    constexpr int plane[8] = {0, 0, 4, 2, 6, 10, 8, 0};
    constexpr int squares = 64;
    constexpr int planes = 11;
    const int turn = (viewer == fogchess::black ? 56 : 0) ^ ((king & 7) < 4 ? 7 : 0);
    const int home = king ^ turn;
    const int king_bucket = 4 * (7 - home / 8) + (7 - home % 8);
    const bool foreign = placed.color != viewer && placed.piece != fogchess::king;
    const int kind = plane[placed.piece] + (foreign ? 1 : 0);
    return (king_bucket * planes + kind) * squares + (placed.square ^ turn);
}

}  // namespace fogtree::nnue
