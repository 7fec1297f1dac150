// Random nodes of a search tree, as training data for networks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "games/fog_chess/search_player.hpp"

namespace fogtree::fog_chess {

// Two squares in a byte, a1 first as the mover sees the board; a square is 0 if it is empty, else
// 1 plus twice the piece (pawn, knight, bishop, rook, queen, king), plus 1 if it is not the
// mover's.
inline constexpr std::size_t packed_bytes = 32;
void pack(const Position& position, std::uint8_t* bytes);

// One entry per sampled node. Values are the mover's.
struct TreeSample {
    std::vector<std::uint8_t> boards;  // packed_bytes each
    std::vector<float> searched;       // under the current strategies; NaN at a leaf
    std::vector<float> evaluated;      // by the evaluator
};

// How many nodes to sample.
struct TreeSampleSize {
    std::size_t leaves = 0;        // wanted, on average
    std::size_t inner = 0;         // wanted of the expanded nodes, on average
    std::int64_t least_nodes = 0;  // in the subtree of an expanded node
    float almost_won = 1;          // nodes of this value, or its negative, on count as decided
};

// Leaves and expanded nodes that are neither decided nor almost won; each is drawn with the same
// probability as every other of its kind.
TreeSample sample_tree(const ChessSearch& search, const TreeSampleSize& size, std::uint64_t seed);

}  // namespace fogtree::fog_chess
