// The samples of traversals, as rows of variable length.
#pragma once

#include <algorithm>
#include <new>
#include <vector>

#include "deep/game.hpp"

namespace fogtree::deep {

// Appends a copy of the elements of `by` to `to`.
template <class T>
void extend(std::vector<T>& to, const std::vector<T>& by) {
    to.insert(to.end(), by.begin(), by.end());
}

// Decisions: the code as the mover sees it, the legal actions and a number for each (a regret or a
// probability). Some decisions of a walk may be left out. Row r has the actions and numbers
// first[r] to first[r + 1] - 1.
struct DecisionRows {
    std::uint32_t met = 0;  // decisions of the walk so far, with those left out
    std::vector<std::uint8_t> codes;
    std::vector<std::uint32_t> first{0};  // rows + 1
    std::vector<Action> actions;
    std::vector<float> numbers;
    std::vector<float> weights;
    std::vector<std::int8_t> players;
    std::vector<std::uint32_t> order;  // which one of a walk's decisions it is, from 1

    std::size_t rows() const { return weights.size(); }
    void clear() {
        codes.clear();
        first.resize(1);
        actions.clear();
        numbers.clear();
        weights.clear();
        players.clear();
        order.clear();
        met = 0;
    }
    // Adds one decision as a row. `bytes` is the length of the code; `legal` and `number` have
    // `count` entries. `met` must already count this decision.
    void add(const std::uint8_t* code, std::size_t bytes, const Action* legal, const float* number,
             std::size_t count, float weight, int player) {
        codes.insert(codes.end(), code, code + bytes);
        actions.insert(actions.end(), legal, legal + count);
        numbers.insert(numbers.end(), number, number + count);
        first.push_back(static_cast<std::uint32_t>(actions.size()));
        weights.push_back(weight);
        players.push_back(static_cast<std::int8_t>(player));
        order.push_back(met);
    }
    // Memory in use; 13 bytes are the entries of a row in `first`, `weights`, `players`, `order`.
    std::size_t bytes() const {
        return codes.size() + actions.size() * (sizeof(Action) + sizeof(float)) + rows() * 13;
    }
    // Appends all rows of `other`. Its `met` is not added: that counts the decisions of one walk.
    void append(const DecisionRows& other) {
        const std::uint32_t shift = first.back();
        for (std::size_t r = 1; r < other.first.size(); ++r)
            first.push_back(shift + other.first[r]);
        extend(codes, other.codes);
        extend(actions, other.actions);
        extend(numbers, other.numbers);
        extend(weights, other.weights);
        extend(players, other.players);
        extend(order, other.order);
    }
    // Prefetches the memory that the next row will be written to.
    void prefetch() const {
        const auto tail = [](const auto& list) {
            __builtin_prefetch(list.data() + list.size(), 1);
        };
        tail(codes);
        tail(actions);
        tail(numbers);
        tail(first);
        tail(weights);
        tail(players);
    }
};

// Actions taken, each with the code of the history before it and the return at the end of the game:
// the traverser's, or in self-play that of the player who acted.
struct ValueRows {
    std::vector<std::uint8_t> codes;
    std::vector<Action> actions;
    std::vector<std::uint8_t> explored;  // the action was not the strategy's choice
    std::vector<float> returns;

    std::size_t rows() const { return actions.size(); }
    // Memory in use; 5 bytes are the entries of a row in `explored` and `returns`.
    std::size_t bytes() const { return codes.size() + rows() * (sizeof(Action) + 5); }
    void clear() {
        codes.clear();
        actions.clear();
        explored.clear();
        returns.clear();
    }
    void append(const ValueRows& other) {
        extend(codes, other.codes);
        extend(actions, other.actions);
        extend(explored, other.explored);
        extend(returns, other.returns);
    }
};

// Statistics of one walk, or of several.
struct Counts {
    std::int64_t nodes = 0;    // decisions and ends of games visited
    std::int64_t queries = 0;  // rows of inputs that a network was asked about
    int depth = 0;             // most decisions from the root to a visited node
    double value = 0;          // sum of the walks' estimates of the traverser's value of the game

    // Adds the counts of other walks; the depth is the larger of the two.
    void append(const Counts& other) {
        nodes += other.nodes;
        queries += other.queries;
        depth = std::max(depth, other.depth);
        value += other.value;
    }
};

// Thrown when the samples need more memory than the task allows.
struct TooManySamples : std::bad_alloc {
    const char* what() const noexcept override { return "too many samples"; }
};

// The samples of one traversal, or of many.
struct Samples {
    DecisionRows regrets;     // decisions of the traverser
    DecisionRows strategies;  // decisions of the others; in self-play those of all players
    ValueRows values;
    Counts counts;

    std::size_t bytes() const { return regrets.bytes() + strategies.bytes() + values.bytes(); }
    void clear() {
        regrets.clear();
        strategies.clear();
        values.clear();
        counts = {};
    }
};

}  // namespace fogtree::deep
