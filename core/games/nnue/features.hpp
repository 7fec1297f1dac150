// Which inputs of a network a position switches on.
#pragma once

#include <cstdint>

#include "games/fog_chess/position.hpp"

namespace fogtree::nnue {

using fog_chess::Color;
using fog_chess::Move;
using fog_chess::Piece;
using fog_chess::Position;

// One piece on one square.
struct Placed {
    Color color;
    Piece piece;
    int square;
};

// How a side sees the board: the first input of its king's bucket, and how squares are mirrored (a
// square becomes square ^ turn).
struct Eye {
    int base;
    int turn;
    bool operator==(const Eye&) const = default;
};

// Inputs are piece squares as a side sees them with its own pieces at the bottom, one set of inputs
// per bucket of king squares.
struct FeatureSet {
    std::uint8_t king_bucket[64];  // by the king's square as its side sees it
    bool mirrored;                 // turned so that the king is on the files e to h
    bool kings_share;              // both kings share a plane: the bucket has the own one's square
    int buckets;

    // The planes of 64 squares in each bucket, and the number of all inputs.
    int planes() const { return kings_share ? 11 : 12; }
    int count() const { return buckets * planes() * 64; }

    // How a side whose king is on this square sees the board: 56 mirrors ranks, 7 mirrors files.
    Eye eye(Color viewer, int king) const {
        const int upright = viewer == fog_chess::black ? 56 : 0;
        const int turn = upright ^ (mirrored && (king & 7) < 4 ? 7 : 0);
        return {king_bucket[king ^ turn] * planes() * 64, turn};
    }

    // The number of the input that a piece on a square switches on. Each piece has two planes of 64
    // inputs, the viewer's own and the other side's, but for kings that share one.
    int feature(const Eye& eye, Color viewer, const Placed& placed) const {
        // By the piece's code: pawn, bishop, knight, rook, king, queen.
        constexpr int plane[8] = {0, 0, 4, 2, 6, 10, 8, 0};
        const bool shared = kings_share && placed.piece == fog_chess::king;
        const int kind = plane[placed.piece] + (placed.color != viewer && !shared ? 1 : 0);
        return eye.base + kind * 64 + (placed.square ^ eye.turn);
    }
};

}  // namespace fogtree::nnue
