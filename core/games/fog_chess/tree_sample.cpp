#include "games/fog_chess/tree_sample.hpp"

#include <cmath>
#include <limits>

#include "common/random.hpp"

namespace fogtree::fog_chess {

namespace {

using Node = search::Node<Position>;

// Whether a node is not at the end of the game, and almost won for neither side.
bool undecided(const Node& node, float almost_won) {
    return node.player != search::kTerminal && std::abs(node.value) < almost_won;
}

}  // namespace

// Writes the board as the mover sees it: if Black is to move, square ^ 56 mirrors the ranks.
void pack(const Position& position, std::uint8_t* bytes) {
    constexpr std::uint8_t number_of[8] = {0, 1, 5, 3, 7, 11, 9, 0};  // of own pieces, by code
    const int turn = position.side == white ? 0 : 56;
    const auto number = [&](int square) {
        const Piece piece = position.at(square ^ turn);
        if (piece == no_piece) return 0;
        const bool own = (position.of(position.side) >> (square ^ turn) & 1) != 0;
        return number_of[piece] + (own ? 0 : 1);
    };
    for (int at = 0; at < static_cast<int>(packed_bytes); ++at)
        bytes[at] = static_cast<std::uint8_t>(number(2 * at) | number(2 * at + 1) << 4);
}

// Counts the leaves and the expanded nodes that qualify, and then takes each with the probability
// that gives the wanted numbers on average.
TreeSample sample_tree(const ChessSearch& search, const TreeSampleSize& size, std::uint64_t seed) {
    const auto inspector = search.engine.inspect();
    std::size_t leaves = 0;
    std::size_t inner = 0;
    inspector.visit_values([&](const Node& node, double, std::int64_t nodes) {
        if (!undecided(node, size.almost_won)) return;
        leaves += !node.expanded();
        inner += node.expanded() && nodes >= size.least_nodes;
    });
    const auto share = [](std::size_t wanted, std::size_t there) {
        return there > 0 ? static_cast<double>(wanted) / static_cast<double>(there) : 0.0;
    };
    const double share_of_leaves = share(size.leaves, leaves);
    const double share_of_inner = share(size.inner, inner);
    SplitMix64 random(seed);
    TreeSample out;
    inspector.visit_values([&](const Node& node, double value, std::int64_t nodes) {
        const bool expanded = node.expanded();
        if (!undecided(node, size.almost_won) || (expanded && nodes < size.least_nodes)) return;
        if (random.unit() >= (expanded ? share_of_inner : share_of_leaves)) return;
        out.boards.resize(out.boards.size() + packed_bytes);
        pack(node.state, out.boards.data() + out.boards.size() - packed_bytes);
        const float sign = node.player == search.me ? 1.0F : -1.0F;
        out.evaluated.push_back(sign * node.value);
        out.searched.push_back(expanded ? sign * static_cast<float>(value)
                                        : std::numeric_limits<float>::quiet_NaN());
    });
    return out;
}

}  // namespace fogtree::fog_chess
