#include "tree_simulator.hpp"

#include <limits>
#include <stdexcept>

namespace fogtree {

namespace {

// Children of every node, in the order of their actions.
std::vector<std::vector<std::uint32_t>> children_of(const FlatTree& tree) {
    std::vector<std::vector<std::uint32_t>> children(tree.nodes());
    for (std::size_t h = 1; h < tree.nodes(); ++h) {
        auto& siblings = children[static_cast<std::size_t>(tree.parent[h])];
        const auto action = static_cast<std::size_t>(tree.action[h]);
        if (siblings.size() <= action) siblings.resize(action + 1, 0);
        siblings[action] = static_cast<std::uint32_t>(h);
    }
    for (std::size_t h = 0; h < tree.nodes(); ++h) {
        const bool decision = tree.player[h] >= 0;
        const bool complete =
            tree.player[h] == kTerminal ||
            (!children[h].empty() &&
             (!decision || children[h].size() ==
                               static_cast<std::size_t>(
                                   tree.infoset_actions[static_cast<std::size_t>(tree.index[h])])));
        if (!complete) throw std::invalid_argument("an action leads nowhere");
        for (const std::uint32_t child : children[h]) {
            if (child == 0) throw std::invalid_argument("an action leads nowhere");
        }
        if (children[h].size() > std::numeric_limits<std::uint16_t>::max()) {
            throw std::invalid_argument("a node has more than 65,535 children");
        }
    }
    return children;
}

}  // namespace

template <class Real>
TreeSimulator<Real>::TreeSimulator(const FlatTree& tree, const std::vector<std::uint32_t>& places)
    : nodes_(tree.nodes()),
      payoffs_(tree.payoffs.begin(), tree.payoffs.end()),
      players_(tree.players) {
    const auto children = children_of(tree);
    const auto width = static_cast<std::size_t>(players_);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> open{{0, 0}};  // history, its new place
    std::uint32_t used = 1;
    while (!open.empty()) {
        const auto [h, place] = open.back();
        open.pop_back();
        Node& node = nodes_[place];
        node.player = tree.player[h];
        node.actions = static_cast<std::uint16_t>(children[h].size());
        node.form = form_of(node.player, node.actions);
        if (node.player == kTerminal) {
            const std::size_t row = static_cast<std::size_t>(tree.index[h]) * width;
            if (players_ > 2) {
                node.row = static_cast<std::uint32_t>(row);
            } else {
                for (std::size_t p = 0; p < width; ++p) node.payoff[p] = payoffs_[row + p];
            }
            continue;
        }
        node.inner.first = used;
        used += node.actions;
        if (node.player != kChance) {
            node.inner.place = places[static_cast<std::size_t>(tree.index[h])];
        } else {
            node.even = true;
            node.inner.place = static_cast<std::uint32_t>(weights_.size());
            Real total = 0;
            for (const std::uint32_t child : children[h]) {
                node.even = node.even && tree.chance[child] == tree.chance[children[h][0]];
                total += static_cast<Real>(tree.chance[child]);
            }
            if (!node.even) {
                weights_.push_back(total);
                for (const std::uint32_t child : children[h]) {
                    weights_.push_back(static_cast<Real>(tree.chance[child]));
                }
            }
        }
        for (std::size_t a = children[h].size(); a-- > 0;) {
            open.emplace_back(children[h][a], node.inner.first + static_cast<std::uint32_t>(a));
        }
    }
}

template <class Real>
std::size_t TreeSimulator<Real>::bytes() const {
    return nodes_.size() * sizeof(Node) + (weights_.size() + payoffs_.size()) * sizeof(Real);
}

template class TreeSimulator<float>;
template class TreeSimulator<double>;

static_assert(Simulator<TreeSimulator<float>> && sizeof(TreeSimulator<float>::Node) == 16);

}  // namespace fogtree
