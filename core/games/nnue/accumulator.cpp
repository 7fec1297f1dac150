#include "games/nnue/accumulator.hpp"

#include <utility>

#include "games/fog_chess/step.hpp"

namespace fogtree::nnue {

using namespace fog_chess;

namespace {

// The square of a side's king, which must be on the board.
int king_square(const Position& position, Color color) {
    return first(position.kings() & position.of(color));
}

// The piece on a square of a Position or of a cached board.
template <class Board>
Placed piece_on(const Board& board, int square) {
    const int code =
        static_cast<int>((board.plane[0] >> square & 1) | (board.plane[1] >> square & 1) << 1 |
                         (board.plane[2] >> square & 1) << 2);
    return {board.white_pieces >> square & 1 ? white : black, static_cast<Piece>(code), square};
}

}  // namespace

// The pieces that a move removes and adds.
Change change_of(const Position& parent, Move move) {
    const Color us = parent.side;
    const int from = from_square(move);
    const int to = to_square(move);
    const Piece piece = parent.at(from);
    Change change;
    change.removed[change.removals++] = {us, piece, from};
    change.added[change.additions++] = {us, is_promotion(move) ? promoted(kind_of(move)) : piece,
                                        to};
    if (kind_of(move) == castle) {
        const RookHop hop = rook_hop(to);
        change.removed[change.removals++] = {us, rook, hop.from};
        change.added[change.additions++] = {us, rook, hop.to};
    } else if (kind_of(move) == take_en_passant) {
        change.removed[change.removals++] = {other(us), pawn, en_passant_victim(move)};
    } else if (parent.at(to) != no_piece) {
        change.removed[change.removals++] = {other(us), parent.at(to), to};
    }
    return change;
}

// One cached position for each side and square of its king (2 * 64), at first the empty board.
Memory::Memory(const Network& network, const Inference& inference)
    : network_(network), inference_(inference), seen_(128) {
    for (Seen& one : seen_) one.half = network.empty;
}

// Computes one viewer's half from that of the last position with the viewer's king on this square,
// by the pieces on squares that differ, and caches it.
void Memory::recall(const Position& position, Color viewer, Half& out) {
    const int king_on = king_square(position, viewer);
    const Eye eye = network_.inputs.eye(viewer, king_on);
    Seen& seen = seen_[static_cast<std::size_t>(64 * viewer + king_on)];
    Bitboard differs = seen.white_pieces ^ position.white_pieces;
    for (int bit_number = 0; bit_number < 3; ++bit_number)
        differs |= seen.plane[bit_number] ^ position.plane[bit_number];
    Delta delta;
    while (differs) {
        const int square = take_first(differs);
        const Placed before = piece_on(seen, square);
        const Placed now = piece_on(position, square);
        if (before.piece != no_piece)
            delta.removed[delta.removals++] = network_.inputs.feature(eye, viewer, before);
        if (now.piece != no_piece)
            delta.added[delta.additions++] = network_.inputs.feature(eye, viewer, now);
    }
    inference_.apply(network_, seen.half, delta, out);
    seen.half = out;
    seen.white_pieces = position.white_pieces;
    for (int bit_number = 0; bit_number < 3; ++bit_number)
        seen.plane[bit_number] = position.plane[bit_number];
}

// Computes both halves.
void Memory::recall(const Position& position, Accumulator& out) {
    for (const Color viewer : {white, black}) recall(position, viewer, out.half[viewer]);
}

// Computes both halves after a move from those before it; where the viewer's king changes its
// bucket or its side of the board, from the cache instead.
void Memory::advance(const Position& parent, const Position& child, const Change& change,
                     const Accumulator& from, Accumulator& out) {
    for (const Color viewer : {white, black}) {
        const FeatureSet& inputs = network_.inputs;
        const Eye eye = inputs.eye(viewer, king_square(child, viewer));
        if (!(eye == inputs.eye(viewer, king_square(parent, viewer)))) {
            recall(child, viewer, out.half[viewer]);
            continue;
        }
        Delta delta;
        for (int number = 0; number < change.removals; ++number)
            delta.removed[delta.removals++] = inputs.feature(eye, viewer, change.removed[number]);
        for (int number = 0; number < change.additions; ++number)
            delta.added[delta.additions++] = inputs.feature(eye, viewer, change.added[number]);
        inference_.apply(network_, from.half[viewer], delta, out.half[viewer]);
    }
}

// A free cache of the pool, or a new one.
std::unique_ptr<Memory> Memories::take(const Network& network, const Inference& inference) {
    {
        const std::lock_guard lock(mutex_);
        if (!idle_.empty()) {
            std::unique_ptr<Memory> memory = std::move(idle_.back());
            idle_.pop_back();
            return memory;
        }
    }
    return std::make_unique<Memory>(network, inference);
}

// Returns a cache to the pool.
void Memories::give(std::unique_ptr<Memory> memory) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(memory));
}

// Drops all idle caches.
void Memories::clear() {
    const std::lock_guard lock(mutex_);
    idle_.clear();
}

}  // namespace fogtree::nnue
