// A compiled tree as a deep game: the inputs of every information set are given once, as a table.
#pragma once

#include "deep/game.hpp"

namespace fogtree::deep {

// Rows of network inputs; row n belongs to the information set or node with number n.
struct InputTable {
    SparseRows rows;
    int width = 0;  // inputs of a row, zeros included

    // The same from a table with all inputs, row after row.
    static InputTable of_dense(const std::vector<float>& table, std::size_t rows);
};

// A compiled game whose states are nodes; a code is the number of an information set or a node.
class TreeGame {
public:
    using State = std::int32_t;  // a node

    // `features`: infosets x width. `actions`: the network's output for every slot. `history`:
    // nodes x width, or empty where no value network is used.
    TreeGame(const FlatTree& tree, InputTable features, const std::vector<std::int32_t>& actions,
             int action_count, InputTable history);

    const Shape& shape() const { return shape_; }
    State root() const { return 0; }
    int player(State node) const { return nodes_[at(node)].player; }
    // Writes the network outputs that stand for the legal actions; returns how many there are.
    int legal(State node, Action* out) const {
        const Node& here = nodes_[at(node)];
        const Action* from = actions_.data() + here.slot;
        for (int a = 0; a < here.count; ++a) out[a] = from[a];
        return here.count;
    }
    float payoff(State node, int player) const {
        return payoffs_[at(nodes_[at(node)].index) * at(shape_.players) + at(player)];
    }
    void step(State& node, int number) const {
        node = children_[at(nodes_[at(node)].first + number)];
    }
    // Draws an outcome at a chance node and moves there.
    template <class Source>
    void sample(State& node, Source& source) const {
        const Node& here = nodes_[at(node)];
        step(node, source.pick(weights_.data() + here.first, here.count, here.total));
    }
    void encode(State node, std::uint8_t* code) const { write(nodes_[at(node)].index, code); }
    void encode_history(State node, int, std::uint8_t* code) const { write(node, code); }
    void expand(const std::uint8_t* code, SparseRows& rows) const { copy(features_, code, rows); }
    void expand_history(const std::uint8_t* code, SparseRows& rows) const {
        copy(history_, code, rows);
    }
    // The number of information sets and of slots, and the slot of a set's first action.
    std::size_t infosets() const { return first_slot_.size() - 1; }
    std::size_t slots() const { return actions_.size(); }
    int first_slot(int infoset) const { return first_slot_[at(infoset)]; }
    static std::int32_t read(const std::uint8_t* code);  // the number that is this code

private:
    // A node as walks need it.
    struct Node {
        std::int8_t player = kTerminal;
        std::int32_t count = 0;  // children
        std::int32_t first = 0;  // place of the first child
        std::int32_t index = 0;  // information set, or row of payoffs
        std::int32_t slot = 0;   // of its first action
        double total = 0;        // of chance's weights
    };

    static std::size_t at(int place) { return static_cast<std::size_t>(place); }
    static void write(std::int32_t number, std::uint8_t* code);
    static void copy(const SparseRows& table, const std::uint8_t* code, SparseRows& rows);

    Shape shape_;
    std::vector<Node> nodes_;
    std::vector<std::int32_t> children_;
    std::vector<double> weights_;  // for each of children_, its weight where chance decides
    std::vector<float> payoffs_;
    std::vector<Action> actions_;
    std::vector<std::int32_t> first_slot_;
    SparseRows features_;
    SparseRows history_;
};

static_assert(DeepGame<TreeGame>);

}  // namespace fogtree::deep
