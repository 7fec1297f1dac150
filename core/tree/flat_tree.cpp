#include "tree/flat_tree.hpp"

#include <cmath>
#include <stdexcept>

namespace fogtree {

std::size_t FlatTree::bytes() const {
    return parent.size() * (3 * sizeof(std::int32_t) + 1 + sizeof(double)) +
           view.size() * sizeof(std::int32_t) + payoffs.size() * sizeof(double) +
           infoset_player.size() * (1 + 2 * sizeof(std::int32_t));
}

void FlatTree::finish() {
    const auto fail = [](const char* what) { throw std::invalid_argument(what); };
    const std::size_t n = nodes();
    const auto width = static_cast<std::size_t>(players);
    if (players < 1 || n == 0) fail("a tree needs a player and a node");
    if (player.size() != n || action.size() != n || index.size() != n || chance.size() != n ||
        view.size() != n * width || infoset_actions.size() != infosets()) {
        fail("the tree's arrays differ in length");
    }
    if (payoffs.size() % width != 0) fail("payoffs are not one row per terminal");
    const auto rows = static_cast<std::int32_t>(payoffs.size() / width);
    for (std::size_t h = 0; h < n; ++h) {
        if (h == 0 ? parent[h] != -1 : parent[h] < 0 || static_cast<std::size_t>(parent[h]) >= h) {
            fail("nodes must come after their parents");
        }
        if (player[h] == kTerminal) {
            if (index[h] < 0 || index[h] >= rows) fail("a terminal node has no payoffs");
        } else if (player[h] != kChance) {
            if (player[h] < 0 || player[h] >= players) fail("no such player");
            const auto i = static_cast<std::size_t>(index[h]);
            if (index[h] < 0 || i >= infosets() || infoset_player[i] != player[h]) {
                fail("a decision node has no information set of its player");
            }
        }
        if (h > 0) {
            const auto above = static_cast<std::size_t>(parent[h]);
            if (player[above] == kTerminal) fail("a terminal node has a child");
            if (player[above] >= 0 &&
                (action[h] < 0 ||
                 action[h] >= infoset_actions[static_cast<std::size_t>(index[above])])) {
                fail("no such action");
            }
        }
    }
    for (const double value : payoffs) {
        if (!std::isfinite(value)) fail("a payoff is not finite");
    }
    first_slot.assign(1, 0);
    first_slot.reserve(infosets() + 1);
    for (const std::int32_t count : infoset_actions) {
        if (count < 1) fail("an information set has no actions");
        first_slot.push_back(first_slot.back() + count);
    }
}

}  // namespace fogtree
