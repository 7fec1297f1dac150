// A compiled tree as a simulator: a position is a pointer to a small node.
//
// Children of one node are adjacent in memory; a key is an index of an array. Histories without a
// decision share one node: a single action or outcome is skipped, and successive deals with equally
// likely outcomes become one deal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/aligned_allocator.hpp"
#include "sampling/simulator.hpp"

namespace fogtree {

// The nodes of a compiled tree, laid out for walks.
template <class Real>
class TreeSimulator {
public:
    // A node in 16 bytes.
    struct alignas(16) Node {
        union {
            struct {
                std::uint32_t first;    // node of the first child
                std::uint32_t weights;  // at chance: where its weights_ begin, or kEven
            } inner;
            Real payoff[2];     // at the end of a game of one or two players
            std::uint32_t row;  // at the end of a game of more players: where its payoffs_ begin
        };
        std::uint32_t place;  // the information set's key; 0 at nodes without a decision
        std::uint16_t actions;
        std::uint8_t form;       // form_of()
        std::uint8_t histories;  // number of histories it stands for
    };
    using State = const Node*;

    // All nodes at one distance from the root, if they have the same form and stand for equally
    // many histories.
    struct Level {
        std::uint8_t form, histories;
    };

    // `places`: the key of each information set, where its numbers begin in an array.
    TreeSimulator(const FlatTree& tree, const std::vector<std::uint32_t>& places);
    TreeSimulator(const TreeSimulator&) = delete;
    TreeSimulator& operator=(const TreeSimulator&) = delete;

    int players() const { return players_; }
    State root() const { return nodes_.data(); }
    int player(State node) const { return player_of(node->form); }
    int actions(State node) const { return node->actions; }
    unsigned form(State node) const { return node->form; }
    unsigned histories(State node) const { return node->histories; }
    // The levels from the root down to the last before one with unlike nodes; in these a walk knows
    // its node's form without reading the node.
    const std::vector<Level>& levels() const { return levels_; }
    std::uint64_t key(State node) const { return node->place; }
    void step(State& node, int action) const {
        node = nodes_.data() + node->inner.first + static_cast<std::uint32_t>(action);
    }
    // A player's payoff at the end: of up to two players it is in the node, of more in `payoffs_`.
    Real payoff(State node, int player) const {
        const auto p = static_cast<std::size_t>(player);
        return players_ <= 2 ? node->payoff[p] : payoffs_[node->row + p];
    }
    // Draws an outcome at a chance node and moves there.
    template <class Source>
    void sample(State& node, Source& source) const {
        const int n = node->actions;
        if (node->inner.weights == kEven) {
            step(node, source.below(n));
        } else {
            const Real* weights = weights_.data() + node->inner.weights;
            step(node, source.pick(weights + 1, n, weights[0]));
        }
    }
    // Prefetches a node.
    void expect(State node) const { __builtin_prefetch(node); }
    std::size_t bytes() const;

private:
    static constexpr std::uint32_t kEven = 0xffffffff;  // all outcomes are equally likely

    void find_levels();
    std::uint32_t keep_weights(const FlatTree& tree, const std::vector<std::uint32_t>& outcomes);

    std::vector<Node, AlignedAllocator<Node, true>> nodes_;
    std::vector<Real> weights_;  // per uneven chance node: the total, then one per outcome
    std::vector<Real> payoffs_;  // of more than two players
    std::vector<Level> levels_;
    int players_;
};

extern template class TreeSimulator<float>;
extern template class TreeSimulator<double>;

}  // namespace fogtree
