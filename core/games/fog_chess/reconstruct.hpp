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

// How many positions are wanted.
struct ReconstructOptions {
    // Most promoted pieces of the other side; -1: only those that are seen.
    int promotions = -1;
    std::size_t limit = 2'000'000;  // more positions than this are sampled
    std::size_t samples = 100'000;  // number of positions sampled then
    std::uint64_t seed = 0;
};

// The positions found; `complete` if they are all there are.
struct Reconstruction {
    std::vector<Position> positions;
    double arrangements;  // of the other side's pieces; castling and en passant not counted
    bool complete;        // these are all positions
};

// Throws std::invalid_argument if no position fits.
Reconstruction reconstruct(const Observation& view, SightRules rules,
                           const ReconstructOptions& options);

}  // namespace fogtree::fog_chess
