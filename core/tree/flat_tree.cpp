#include "tree/flat_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace fogtree {

namespace {

constexpr int kMostTreePlayers = std::numeric_limits<std::int8_t>::max();
constexpr std::size_t kLargestIndex = std::numeric_limits<std::int32_t>::max();
constexpr std::int32_t kLongestHistory = 10'000;  // walks are recursive
constexpr double kRounding = 1e-6;  // by which the chances of a node may miss a sum of 1

[[noreturn]] void fail(const char* what) {
    throw std::invalid_argument(what);
}

}  // namespace

// The bytes that the arrays take.
std::size_t FlatTree::bytes() const {
    return parent.size() * (3 * sizeof(std::int32_t) + 1 + sizeof(double)) +
           view.size() * sizeof(std::int32_t) + payoffs.size() * sizeof(double) +
           infoset_player.size() * (1 + 2 * sizeof(std::int32_t));
}

// Numbers the slots, and checks that the arrays are consistent.
void FlatTree::finish() {
    check_sizes();
    number_slots();
    check_nodes();
    check_children();
    for (const double value : payoffs) {
        if (!std::isfinite(value)) fail("a payoff is not finite");
    }
}

// Checks the lengths of the arrays.
void FlatTree::check_sizes() const {
    const std::size_t n = nodes();
    if (players < 1 || players > kMostTreePlayers || n == 0) {
        fail("a tree needs a node and 1 to 127 players");
    }
    const auto width = static_cast<std::size_t>(players);
    if (n * width > kLargestIndex) fail("the tree has too many nodes for 32-bit numbers");
    if (player.size() != n || action.size() != n || index.size() != n || chance.size() != n ||
        view.size() != n * width || infoset_actions.size() != infosets()) {
        fail("the tree's arrays differ in length");
    }
    if (payoffs.size() % width != 0) fail("payoffs are not one row per terminal");
}

// Fills `first_slot`: numbers the actions of all information sets one after the other.
void FlatTree::number_slots() {
    first_slot.assign(1, 0);
    first_slot.reserve(infosets() + 1);
    for (const std::int32_t count : infoset_actions) {
        // Every action has a child, so no count beyond the nodes is right, and no sum overflows.
        const auto before = static_cast<std::size_t>(first_slot.back());
        if (count < 1) fail("an information set has no actions");
        if (before + static_cast<std::size_t>(count) > nodes()) fail("an action leads nowhere");
        first_slot.push_back(first_slot.back() + count);
    }
}

// Checks parents, players, information sets and payoffs of all nodes.
void FlatTree::check_nodes() const {
    const auto width = static_cast<std::size_t>(players);
    const std::size_t rows = payoffs.size() / width;
    std::vector<bool> met(infosets());
    for (std::size_t h = 0; h < nodes(); ++h) {
        if (h == 0 ? parent[h] != -1 : parent[h] < 0 || static_cast<std::size_t>(parent[h]) >= h) {
            fail("nodes must come after their parents");
        }
        const auto i = static_cast<std::size_t>(index[h]);
        if (player[h] == kTerminal) {
            if (index[h] < 0 || i >= rows) fail("a terminal node has no payoffs");
        } else if (player[h] != kChance) {
            if (player[h] < 0 || player[h] >= players) fail("no such player");
            if (index[h] < 0 || i >= infosets() || infoset_player[i] != player[h]) {
                fail("a decision node has no information set of its player");
            }
            met[i] = true;
        }
    }
    for (const std::int32_t seen : view) {
        if (seen < 0 || static_cast<std::size_t>(seen) >= view.size()) fail("no such view");
    }
    if (std::find(met.begin(), met.end(), false) != met.end()) {
        fail("an information set has no node");
    }
}

// Checks that children come in the order of their actions, that every action has one, that the
// chances of a node are probabilities with the sum 1, and that no history is too long.
void FlatTree::check_children() const {
    std::vector<std::int32_t> children(nodes()), depth(nodes());
    std::vector<double> total(nodes());
    for (std::size_t h = 1; h < nodes(); ++h) {
        const auto above = static_cast<std::size_t>(parent[h]);
        if (player[above] == kTerminal) fail("a terminal node has a child");
        if (action[h] != children[above]++) fail("a node's actions are not in order");
        if (!(chance[h] >= 0 && chance[h] <= 1))
            fail("a chance outcome has no probability between 0 and 1");
        if (player[above] != kChance && chance[h] != 1)
            fail("a player's action has a probability other than 1");
        total[above] += chance[h];
        depth[h] = depth[above] + 1;
        if (depth[h] > kLongestHistory) fail("a history has more than 10,000 steps");
    }
    for (std::size_t h = 0; h < nodes(); ++h) {
        if (player[h] == kTerminal) continue;
        const std::int32_t wanted =
            player[h] == kChance ? 1 : infoset_actions[static_cast<std::size_t>(index[h])];
        if (player[h] == kChance ? children[h] < wanted : children[h] != wanted) {
            fail("an action leads nowhere");
        }
        if (player[h] == kChance && std::abs(total[h] - 1) > kRounding) {
            fail("the probabilities of chance do not sum to 1");
        }
    }
}

}  // namespace fogtree
