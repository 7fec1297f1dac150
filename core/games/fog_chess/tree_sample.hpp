// Random nodes of a search tree, as training data for networks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "games/fog_chess/search_player.hpp"

namespace fogtree::fog_chess {

// Writes a board as 32 bytes for training: two squares in a byte, the first in the low bits, from
// a1 on as the mover sees the board. A square is 0 if it is empty, else 1 + 2 * piece (0 to 5:
// pawn, knight, bishop, rook, queen, king), plus 1 if the piece is not the mover's.
inline constexpr std::size_t packed_bytes = 32;
void pack(const Position& position, std::uint8_t* bytes);

// One entry per sampled node. Values are the mover's.
struct TreeSample {
    std::vector<std::uint8_t> boards;  // packed_bytes each
    std::vector<float> searched;       // value under the current strategies; NaN at a leaf
    std::vector<float> evaluated;      // value by the evaluator
};

// How many nodes to sample, and which.
struct TreeSampleSize {
    std::size_t leaves = 0;        // leaves wanted, on average
    std::size_t inner = 0;         // expanded nodes wanted, on average
    std::int64_t least_nodes = 0;  // expanded nodes with smaller subtrees are left out
    float almost_won = 1;          // nodes of at least this value for either side are left out
};

// A random sample of the nodes that are neither at the end of the game nor almost won; each leaf
// has the same probability as every other leaf, and each expanded node as every other expanded
// node.
TreeSample sample_tree(const ChessSearch& search, const TreeSampleSize& size, std::uint64_t seed);

}  // namespace fogtree::fog_chess
