// A compiled game as a game for the search.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "common/hash.hpp"
#include "search/tree.hpp"
#include "tree/flat_tree.hpp"

namespace fogtree::search {

// The rules of a compiled game in the form that the search needs.
class FlatGame {
public:
    using State = std::int32_t;  // a node of the flat tree

    // Lists the children of every node: node h's are children_[first_[h]] up to first_[h + 1].
    // Payoffs are divided by the largest (`scale_`), because the search's values are in [-1, 1].
    explicit FlatGame(const FlatTree& tree) : tree_(tree), first_(tree.nodes() + 1, 0) {
        if (tree.players != 2) throw std::invalid_argument("the search is for two players");
        for (std::size_t h = 1; h < tree.nodes(); ++h) ++first_[at(tree.parent[h]) + 1];
        for (std::size_t h = 0; h < tree.nodes(); ++h) first_[h + 1] += first_[h];
        children_.resize(tree.nodes());
        std::vector<std::int32_t> next(first_.begin(), first_.end() - 1);
        for (std::size_t h = 1; h < tree.nodes(); ++h) {
            children_[at(next[at(tree.parent[h])]++)] = static_cast<State>(h);
        }
        for (const double value : tree.payoffs) scale_ = std::max(scale_, std::abs(value));
        if (scale_ == 0) scale_ = 1;
    }

    int player(State s) const { return tree_.player[at(s)]; }
    // Player 0's payoff at the end, divided by scale().
    double payoff(State s) const { return tree_.payoffs[at(tree_.index[at(s)]) * 2] / scale_; }
    double scale() const { return scale_; }  // the largest payoff
    std::uint64_t key(State s) const { return static_cast<std::uint64_t>(s); }
    // The number of player p's memory at a node of the compiled game.
    std::uint64_t view(State s, int p) const {
        return static_cast<std::uint64_t>(tree_.view[at(s) * 2 + at(p)]);
    }

    // What player p remembers after a step, given what it remembered `before`: the number of its
    // memory in the compiled game, except below a position at which the opponent is assumed to know
    // everything; from there on it is a hash of what it notices.
    std::uint64_t knows(std::uint64_t before, int p, State parent, const Edge<State>& edge) const {
        if (before == view(parent, p)) return view(edge.child, p);
        const bool noticed = player(parent) == p || view(edge.child, p) != view(parent, p);
        return noticed ? combine_hashes(before, view(edge.child, p)) : before;
    }

    // Appends all children of a node to `out`.
    void expand(State s, std::vector<Edge<State>>& out) const {
        for (std::int32_t k = first_[at(s)]; k < first_[at(s) + 1]; ++k) {
            const State child = children_[at(k)];
            out.push_back({child, static_cast<std::uint32_t>(tree_.action[at(child)]),
                           static_cast<float>(tree_.chance[at(child)])});
        }
    }

    // The child of a node by an action.
    State child(State s, std::uint32_t action) const {
        std::int32_t k = first_[at(s)];
        while (static_cast<std::uint32_t>(tree_.action[at(children_[at(k)])]) != action) ++k;
        return children_[at(k)];
    }

    // All positions at which player p's memory became `view_number`, the first of each path; p
    // cannot tell them apart.
    std::vector<State> possible(std::uint64_t view_number, int p) const {
        std::vector<State> out;
        for (std::size_t h = 0; h < tree_.nodes(); ++h) {
            const auto s = static_cast<State>(h);
            if (view(s, p) != view_number || player(s) == kTerminal) continue;
            if (h > 0 && view(tree_.parent[h], p) == view_number) continue;
            out.push_back(s);
        }
        return out;
    }

    const FlatTree& tree() const { return tree_; }

private:
    static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

    const FlatTree& tree_;
    std::vector<std::int32_t> first_;
    std::vector<State> children_;
    double scale_ = 0;
};

// An evaluator that looks up given values of all nodes.
class TableEvaluator {
public:
    // `values`: player 0's value of every node, by its number in the tree, in the unit of payoffs.
    TableEvaluator(const FlatGame& game, std::vector<double> values)
        : values_(std::move(values)), scale_(game.scale()) {
        if (values_.size() != game.tree().nodes()) {
            throw std::invalid_argument("one value per node is needed");
        }
        for (const double value : values_) {
            if (!(std::abs(value / scale_) <= kLargest))
                throw std::invalid_argument("leaf values must be finite, in the order of payoffs");
        }
    }
    // Player 0's value of a node, divided by the largest payoff.
    double evaluate(std::int32_t s) const { return values_[static_cast<std::size_t>(s)] / scale_; }
    // Writes player 0's values of all children of a node to `out`.
    void evaluate(std::int32_t, const std::vector<Edge<std::int32_t>>& edges, float* out) const {
        for (std::size_t k = 0; k < edges.size(); ++k) {
            out[k] = static_cast<float>(evaluate(edges[k].child));
        }
    }

private:
    static constexpr double kLargest = 1e6;  // times the largest payoff
    std::vector<double> values_;
    double scale_;
};

}  // namespace fogtree::search
