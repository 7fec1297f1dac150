#include "sampling/tree_simulator.hpp"

#include <limits>
#include <stdexcept>

namespace fogtree {

namespace {

constexpr std::size_t kMostChildren = std::numeric_limits<std::uint16_t>::max();
constexpr int kMostHistories = std::numeric_limits<std::uint8_t>::max();

// The children of every node, in the order of their actions. Throws std::invalid_argument if an
// action has none, or a node has too many.
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
        if (children[h].size() > kMostChildren) {
            throw std::invalid_argument("a node has more than 65,535 children");
        }
    }
    return children;
}

// A chain of histories that become one node: where it goes on, and how many histories it stands
// for.
class Passage {
public:
    // Goes on while there is a single child; then joins deals that follow each other into one, if
    // all outcomes are equally likely.
    Passage(const FlatTree& tree, const std::vector<std::vector<std::uint32_t>>& children,
            std::uint32_t from)
        : tree_(tree), children_(children), last_(from) {
        while (children_[last_].size() == 1 && histories_ < kMostHistories) {
            last_ = children_[last_][0];
            ++histories_;
        }
        next_ = children_[last_];
        while (even_deal(last_) && deals_alike() && histories_ < kMostHistories) {
            std::vector<std::uint32_t> later;
            for (const std::uint32_t h : next_) {
                later.insert(later.end(), children_[h].begin(), children_[h].end());
            }
            next_ = later;
            ++histories_;
        }
    }

    // The history at which the chain of single children ends; it gives the node its mover.
    std::uint32_t last() const { return last_; }
    // The histories that become the node's children.
    const std::vector<std::uint32_t>& next() const { return next_; }
    // How many histories a walk passes at the node.
    int histories() const { return histories_; }

private:
    // Whether a node is a chance node with equally likely outcomes.
    bool even_deal(std::uint32_t h) const {
        if (tree_.player[h] != kChance) return false;
        for (const std::uint32_t child : children_[h]) {
            if (tree_.chance[child] != tree_.chance[children_[h][0]]) return false;
        }
        return true;
    }

    // Whether all children so far are chance nodes with the same number of equally likely outcomes.
    bool deals_alike() const {
        const std::size_t n = children_[next_[0]].size();
        for (const std::uint32_t h : next_) {
            if (children_[h].size() != n || !even_deal(h)) return false;
        }
        return next_.size() * n <= kMostChildren;
    }

    const FlatTree& tree_;
    const std::vector<std::vector<std::uint32_t>>& children_;
    std::uint32_t last_;
    std::vector<std::uint32_t> next_;
    int histories_ = 1;
};

}  // namespace

// Copies the tree, depth first, with the children of a node side by side and chains of histories as
// one node (Passage). `places`: where each information set's numbers begin in a table.
template <class Real>
TreeSimulator<Real>::TreeSimulator(const FlatTree& tree, const std::vector<std::uint32_t>& places)
    : players_(tree.players) {
    if (players_ > kMostPlayers) throw std::invalid_argument("more than 60 players");
    if (players_ > 2) payoffs_.assign(tree.payoffs.begin(), tree.payoffs.end());
    const auto children = children_of(tree);
    const auto width = static_cast<std::size_t>(players_);
    nodes_.reserve(tree.nodes());
    nodes_.resize(1);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> open{{0, 0}};  // history, its new place
    while (!open.empty()) {
        const auto [from, place] = open.back();
        open.pop_back();
        const Passage passage(tree, children, from);
        const std::uint32_t h = passage.last();
        const auto index = static_cast<std::size_t>(tree.index[h]);
        Node& node = nodes_[place];
        node.actions = static_cast<std::uint16_t>(passage.next().size());
        node.form = form_of(tree.player[h], node.actions);
        node.histories = static_cast<std::uint8_t>(passage.histories());
        if (tree.player[h] == kTerminal) {
            if (players_ > 2) {
                node.row = static_cast<std::uint32_t>(index * width);
            } else {
                for (std::size_t p = 0; p < width; ++p) {
                    node.payoff[p] = static_cast<Real>(tree.payoffs[index * width + p]);
                }
            }
            continue;
        }
        node.inner.first = static_cast<std::uint32_t>(nodes_.size());
        if (tree.player[h] == kChance) {
            node.inner.weights = keep_weights(tree, passage.next());
        } else {
            node.place = places[index];
        }
        for (std::size_t a = passage.next().size(); a-- > 0;) {
            open.emplace_back(passage.next()[a], node.inner.first + static_cast<std::uint32_t>(a));
        }
        nodes_.resize(nodes_.size() + passage.next().size());
    }
    nodes_.shrink_to_fit();
    find_levels();
}

// Fills `levels_` with the levels from the root on in which all nodes have one form and stand for
// equally many histories; it ends before the first other level.
template <class Real>
void TreeSimulator<Real>::find_levels() {
    std::vector<State> level{root()};
    while (!level.empty()) {
        std::vector<State> next;
        for (const State node : level) {
            if (node->form != level[0]->form || node->histories != level[0]->histories) return;
            if (player(node) == kTerminal) continue;
            State child = node;
            step(child, 0);
            for (int a = 0; a < node->actions; ++a) next.push_back(child + a);
        }
        levels_.push_back({level[0]->form, level[0]->histories});
        level = std::move(next);
    }
}

// Stores the sum and then the probabilities of a chance node's outcomes in `weights_`, and returns
// where they begin; kEven, and nothing stored, if all are equal.
template <class Real>
std::uint32_t TreeSimulator<Real>::keep_weights(const FlatTree& tree,
                                                const std::vector<std::uint32_t>& outcomes) {
    bool even = true;
    Real total = 0;
    for (const std::uint32_t child : outcomes) {
        even = even && tree.chance[child] == tree.chance[outcomes[0]];
        total += static_cast<Real>(tree.chance[child]);
    }
    if (even) return kEven;
    const std::size_t start = weights_.size();
    weights_.push_back(total);
    for (const std::uint32_t child : outcomes) {
        weights_.push_back(static_cast<Real>(tree.chance[child]));
    }
    return static_cast<std::uint32_t>(start);
}

// The bytes that nodes, weights and payoffs take.
template <class Real>
std::size_t TreeSimulator<Real>::bytes() const {
    return nodes_.size() * sizeof(Node) + (weights_.size() + payoffs_.size()) * sizeof(Real);
}

template class TreeSimulator<float>;
template class TreeSimulator<double>;

static_assert(Simulator<TreeSimulator<float>> && sizeof(TreeSimulator<float>::Node) == 16);

}  // namespace fogtree
