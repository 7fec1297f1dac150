// The accumulator of a position: each side's sums over the network's table of piece squares (a
// half), computed from those of a similar position.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "games/nnue/inference.hpp"

namespace fogtree::nnue {

// The halves of both sides, by colour.
struct Accumulator {
    Half half[2];
};

// The pieces that a move removes from squares and adds to squares: the mover and perhaps a captured
// piece or, in castling, the rook.
struct Change {
    Placed removed[2];
    Placed added[2];
    int removals = 0;
    int additions = 0;
};
Change change_of(const Position& parent, Move move);

// A cache of halves: for each side and square of its king, the last position and its half. A new
// position is computed from the cached one by the pieces that differ, which are few in a search.
class Memory {
public:
    Memory(const Network& network, const Inference& inference);

    // Computes the half of a side, whose king must be on the board, or both halves.
    void recall(const Position& position, Color viewer, Half& out);
    void recall(const Position& position, Accumulator& out);
    // Computes the child's accumulator from its parent's (`from`) and the change of the move. If a
    // side's king has moved to another bucket, its half is computed from the cached position.
    void advance(const Position& parent, const Position& child, const Change& change,
                 const Accumulator& from, Accumulator& out);

    const Network& network() const { return network_; }
    const Inference& inference() const { return inference_; }

private:
    // The last position seen with the king on a square, and one side's half of its accumulator.
    struct Seen {
        fog_chess::Bitboard plane[3] = {};
        fog_chess::Bitboard white_pieces = 0;
        Half half;
    };

    const Network& network_;
    const Inference& inference_;
    std::vector<Seen> seen_;  // by side and square of the king
};

// A pool of caches, one for each thread that evaluates at the same time.
class Memories {
public:
    // A cache borrowed from the pool; returned by the destructor.
    class Loan {
    public:
        Loan(Memories& owner, const Network& network, const Inference& inference)
            : owner_(owner), memory_(owner.take(network, inference)) {}
        ~Loan() { owner_.give(std::move(memory_)); }
        Loan(const Loan&) = delete;
        Loan& operator=(const Loan&) = delete;
        Memory& operator*() const { return *memory_; }

    private:
        Memories& owner_;
        std::unique_ptr<Memory> memory_;
    };

    // Drops all caches that are not lent.
    void clear();

private:
    std::unique_ptr<Memory> take(const Network& network, const Inference& inference);
    void give(std::unique_ptr<Memory> memory);

    std::mutex mutex_;
    std::vector<std::unique_ptr<Memory>> idle_;
};

}  // namespace fogtree::nnue
