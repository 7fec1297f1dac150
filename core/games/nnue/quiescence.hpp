// A position's value after the captures that pay, as chess programs search at their leaves.
#pragma once

#include "games/nnue/accumulator.hpp"

namespace fogtree::nnue {

// Searches captures from a position.
class Quiescence {
public:
    explicit Quiescence(Memory& memory) : memory_(memory) {}

    // The value for the side to move, in the network's units. The other side's king must not be
    // attacked: it could be taken at once.
    int value(const Position& position, const Accumulator& accumulator);

private:
    // The bounds of alpha-beta search and the depth of one call.
    struct Node {
        int alpha;
        int beta;
        int ply;
        int taken_on;  // the target square of the last move; -1 at the first call
    };
    static bool left_out(const Position& position, Move move, const Node& node, int tried,
                         int hoped, int& best);
    int search(const Position& position, const Accumulator& accumulator, Node node);
    int stand(const Position& position, const Accumulator& accumulator) const;

    Memory& memory_;
};

}  // namespace fogtree::nnue
