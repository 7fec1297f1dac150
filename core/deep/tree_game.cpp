#include "deep/tree_game.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace fogtree::deep {

namespace {

// The number of columns of a dense table with this many rows; throws if it is not whole.
int width_of(const std::vector<float>& table, std::size_t rows) {
    if (rows == 0 || table.size() % rows != 0) throw std::invalid_argument("a table does not fit");
    const std::size_t width = table.size() / rows;
    if (width > std::numeric_limits<std::uint16_t>::max()) {
        throw std::invalid_argument("a network has at most 65,535 inputs");
    }
    return static_cast<int>(width);
}

}  // namespace

// The nonzero inputs of a dense table with this many rows.
InputTable InputTable::of_dense(const std::vector<float>& table, std::size_t rows) {
    InputTable out;
    out.width = width_of(table, rows);
    const auto width = static_cast<std::size_t>(out.width);
    for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t c = 0; c < width; ++c) {
            const float value = table[r * width + c];
            if (value != 0) out.rows.add(static_cast<int>(c), value);
        }
        out.rows.end_row();
    }
    return out;
}

// Copies the tree with lists of children. `features` has a row of inputs for each information set,
// `history` for each node (or is empty); codes are the numbers of these rows, in 4 bytes.
// `actions`: for every slot, the number of the network output that stands for its action.
TreeGame::TreeGame(const FlatTree& tree, InputTable features,
                   const std::vector<std::int32_t>& actions, int action_count, InputTable history)
    : nodes_(tree.nodes()),
      payoffs_(tree.payoffs.begin(), tree.payoffs.end()),
      first_slot_(tree.first_slot) {
    if (actions.size() != tree.slots()) throw std::invalid_argument("one action for every slot");
    for (const std::int32_t action : actions) {
        if (action < 0 || action >= action_count || action_count > 32767) {
            throw std::invalid_argument("an action outside the network's outputs");
        }
        actions_.push_back(static_cast<Action>(action));
    }
    for (std::size_t h = 0; h < tree.nodes(); ++h) {
        nodes_[h].player = tree.player[h];
        nodes_[h].index = tree.index[h];
        if (h > 0) ++nodes_[at(tree.parent[h])].count;
        if (tree.player[h] >= 0) nodes_[h].slot = tree.first_slot[at(tree.index[h])];
    }
    std::int32_t used = 0;
    for (Node& node : nodes_) {
        node.first = used;
        used += node.count;
    }
    children_.assign(at(used), 0);
    weights_.assign(at(used), 0);
    for (std::size_t h = 1; h < tree.nodes(); ++h) {
        Node& before = nodes_[at(tree.parent[h])];
        if (tree.action[h] >= before.count) throw std::invalid_argument("an action leads nowhere");
        const std::size_t place = at(before.first + tree.action[h]);
        children_[place] = static_cast<std::int32_t>(h);
        weights_[place] = tree.chance[h];
    }
    for (Node& node : nodes_) {
        shape_.most_actions = std::max(shape_.most_actions, node.player >= 0 ? node.count : 0);
        for (int c = 0; c < node.count; ++c) node.total += weights_[at(node.first + c)];
    }
    shape_.players = tree.players;
    shape_.actions = action_count;
    if (features.rows.rows() != tree.infosets() || features.width < 1 ||
        (history.width > 0 && history.rows.rows() != tree.nodes())) {
        throw std::invalid_argument("a table does not fit");
    }
    shape_.features = features.width;
    shape_.history_features = history.width;
    shape_.code_bytes = shape_.history_code_bytes = 4;
    features_ = std::move(features.rows);
    history_ = std::move(history.rows);
}

// Writes a number as a code: 4 bytes, the low one first.
void TreeGame::write(std::int32_t number, std::uint8_t* code) {
    for (int b = 0; b < 4; ++b) code[b] = static_cast<std::uint8_t>(number >> 8 * b);
}

// The number that `write` wrote as this code.
std::int32_t TreeGame::read(const std::uint8_t* code) {
    return code[0] | code[1] << 8 | code[2] << 16 | code[3] << 24;
}

// Appends to `rows` the row of `table` whose number is the code.
void TreeGame::copy(const SparseRows& table, const std::uint8_t* code, SparseRows& rows) {
    const std::int32_t number = read(code);
    if (number < 0 || at(number) >= table.rows()) throw std::invalid_argument("no such code");
    const auto from = table.first[at(number)], to = table.first[at(number) + 1];
    rows.index.insert(rows.index.end(), table.index.begin() + from, table.index.begin() + to);
    rows.value.insert(rows.value.end(), table.value.begin() + from, table.value.begin() + to);
    rows.end_row();
}

}  // namespace fogtree::deep
