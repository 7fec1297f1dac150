// Positions that are consistent with a single view: all of them, or a uniform random sample.
//
// The unseen squares are filled one after the other; a table over (square, material so far) counts
// how many ways there are to go on, so that an enumeration never runs into a dead end and a sample
// is exactly uniform.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "games/fog_chess/position.hpp"
#include "games/fog_chess/sight.hpp"

namespace fogtree::fog_chess {

// Which positions are looked for, and how many.
struct ReconstructOptions {
    // Most promoted pieces that the other side may have; -1: as few as the pieces seen require.
    int promotions = -1;
    std::size_t limit = 2'000'000;  // more positions than this are sampled
    std::size_t samples = 100'000;  // number of positions sampled then
    std::uint64_t seed = 0;
};

// The positions found.
struct Reconstruction {
    std::vector<Position> positions;
    double arrangements;  // number of boards that fit; castling and en passant not counted
    bool complete;        // these are all positions
};

// All positions that give the player this view, or a uniform random sample if there are more than
// the limit. Throws std::invalid_argument if there is none.
Reconstruction reconstruct(const Observation& view, SightRules rules,
                           const ReconstructOptions& options);

}  // namespace fogtree::fog_chess
