// A position's value after the captures that pay, as chess programs search at their leaves.
#pragma once

#include "games/nnue/accumulator.hpp"

namespace fogtree::nnue {

// Searches captures from a position.
class Quiescence {
public:
    explicit Quiescence(Memory& memory) : memory_(memory) {}

    // For the side to move, in the network's units; the other side's king cannot be taken.
    int value(const Position& position, const Accumulator& accumulator);

private:
    // The bounds and the depth of one call.
    struct Node {
        int alpha;
        int beta;
        int ply;
        int taken_on;  // where the last move took something, or -1
    };
    static bool left_out(const Position& position, Move move, const Node& node, int tried,
                         int hoped, int& best);
    int search(const Position& position, const Accumulator& accumulator, Node node);
    int stand(const Position& position, const Accumulator& accumulator) const;

    Memory& memory_;
};

}  // namespace fogtree::nnue
