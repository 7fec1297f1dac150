// The hot functions, compiled once per kind of processor and picked at run time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "games/fog_chess/position.hpp"
#include "games/fog_chess/sight.hpp"

namespace fogtree::fog_chess {

// The result of walking a tree of moves and computing both sides' sight at every node, a benchmark.
struct SeeCount {
    std::uint64_t nodes;     // moves made
    std::uint64_t checksum;  // of all keys and sights, so that none can be optimised away
};

// What the children must fulfil in one update of a belief after a move of the other side; see
// expand.hpp.
struct StepFilter {
    Observation before;   // the player's view before the move
    Observation after;    // and after it
    Bitboard sensitive;   // squares whose change the player would notice
    Bitboard own_before;  // the player's own pieces before the move
    Bitboard own_lost;    // those of them that the move captured
    bool unchanged;       // the player noticed nothing but that a move was made
};

// A possible position after a move, by its parent's index in the belief and the move; 16 bytes.
struct Candidate {
    std::uint64_t key;  // the child's
    std::uint32_t parent;
    Move move;
    std::uint16_t unused;
};

// The functions of one kernel; struct Hot in moves.hpp says what each of them does.
struct Kernel {
    const char* name;
    int (*generate)(const Position&, Move* moves);
    int (*generate_captures)(const Position&, Move* moves);
    int (*count_moves)(const Position&);
    bool (*has_move)(const Position&);
    Sight (*sight)(const Position&, Color, SightRules);
    Bitboard (*sensitive)(const Position&, Color, SightRules);
    std::uint64_t (*perft)(const Position&, int depth);
    SeeCount (*see)(const Position&, int depth, SightRules);
    // Writes the children of one parent that agree with the filter and come no later than the
    // threshold in the random order of that multiplier, at most max_moves; returns how many.
    int (*expand)(const Position&, std::uint32_t parent, const StepFilter&,
                  std::uint64_t multiplier, std::uint64_t threshold, SightRules, Candidate* out);
    Bitboard (*rook_attacks)(int square, Bitboard occupied);
    Bitboard (*bishop_attacks)(int square, Bitboard occupied);
};

// The fastest kernel this processor runs, or the one last chosen by name.
const Kernel& kernel();
// Whether this processor and build have the kernel "pext" or "magic".
bool kernel_available(const char* name);
// Uses the kernel "pext" or "magic" from now on; false if this processor or build does not have it.
bool choose_kernel(const char* name);

// The place of a position with this key in a random order of all positions, which an odd multiplier
// defines. Zobrist keys are random already, so one multiplication is enough to make the orders of
// different multipliers independent.
FOGTREE_INLINE std::uint64_t order(std::uint64_t key, std::uint64_t multiplier) {
    return key * multiplier;
}

}  // namespace fogtree::fog_chess
