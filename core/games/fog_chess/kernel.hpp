// The hot functions, compiled once per kind of processor and picked at run time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "games/fog_chess/position.hpp"
#include "games/fog_chess/sight.hpp"

namespace fogtree::fog_chess {

// How many nodes a tree of moves has in which every node's sight was computed, for benchmarks.
struct SeeCount {
    std::uint64_t nodes;
    std::uint64_t checksum;  // of all masks, so that none can be optimised away
};

// What the children must fulfil in one update of a belief; see expand.hpp.
struct StepFilter {
    Observation before;
    Observation after;
    Bitboard sensitive;  // squares whose change the player would notice
    Bitboard own_before;
    Bitboard own_lost;  // own pieces gone since
    bool unchanged;     // the player noticed nothing but that a move was made
};

// A child by its parent's index and the move; 16 bytes.
struct Candidate {
    std::uint64_t key;
    std::uint32_t parent;
    Move move;
    std::uint16_t unused;
};

// The functions of one kernel.
struct Kernel {
    const char* name;
    int (*generate)(const Position&, Move* moves);
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
bool kernel_available(const char* name);
// "pext" or "magic"; false if this processor or build has none of that name.
bool choose_kernel(const char* name);

// A key's place in the random order with that odd multiplier. Zobrist keys are random already, so
// one multiplication is enough to make the orders of different multipliers independent.
FOGTREE_INLINE std::uint64_t order(std::uint64_t key, std::uint64_t multiplier) {
    return key * multiplier;
}

}  // namespace fogtree::fog_chess
