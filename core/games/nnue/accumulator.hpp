// Both sides' halves of the first layer, from nothing or from a position close by.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "games/nnue/inference.hpp"

namespace fogtree::nnue {

struct Accumulator {
    Half half[2];
};

// What a move takes away and puts down: at most a mover, a victim and a castling rook.
struct Change {
    Placed removed[2];
    Placed added[2];
    int removals = 0;
    int additions = 0;
};
Change change_of(const Position& parent, Move move);

// Halves of positions seen before, one for each place of a side's king. A position met later is
// reached from there by the pieces that differ, which are few in a search.
class Memory {
public:
    Memory(const Network& network, const Inference& inference);

    // The half of a side whose king is on the board.
    void recall(const Position& position, Color viewer, Half& out);
    void recall(const Position& position, Accumulator& out);
    // The child's accumulator from its parent's. A side whose king sees the board in another way
    // than before starts from a position that was seen before.
    void advance(const Position& parent, const Position& child, const Change& change,
                 const Accumulator& from, Accumulator& out);

    const Network& network() const { return network_; }
    const Inference& inference() const { return inference_; }

private:
    struct Seen {
        fog_chess::Bitboard plane[3] = {};
        fog_chess::Bitboard white_pieces = 0;
        Half half;
    };

    const Network& network_;
    const Inference& inference_;
    std::vector<Seen> seen_;  // by side and place of the king
};

// Memories for as many threads as ask at the same time.
class Memories {
public:
    // A memory that is given back when the loan ends.
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

    void clear();

private:
    std::unique_ptr<Memory> take(const Network& network, const Inference& inference);
    void give(std::unique_ptr<Memory> memory);

    std::mutex mutex_;
    std::vector<std::unique_ptr<Memory>> idle_;
};

}  // namespace fogtree::nnue
