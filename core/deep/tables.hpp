// Samples as tables with rows of one width, which become arrays of Python without a copy.
#pragma once

#include <algorithm>
#include <memory>

#include "deep/samples.hpp"

namespace fogtree::deep {

// An array on the heap whose elements are not initialised: each is written before it is read.
template <class T>
struct Block {
    std::unique_ptr<T[]> data;
    std::size_t size = 0;

    void resize(std::size_t count) {
        data = std::make_unique_for_overwrite<T[]>(count);
        size = count;
    }
};

// Samples of decisions as columns. The lists of actions and their numbers (regrets or
// probabilities) have one width: shorter ones end in action -1 and number 0.
struct DecisionTable {
    Block<std::uint8_t> codes;
    Block<Action> actions;
    Block<float> numbers;
    Block<float> weights;
    Block<std::int8_t> players;
    Block<std::int32_t> steps;  // which of its walk's decisions of this kind it is, from 0

    // Makes room for `rows` decisions with codes of `bytes` bytes and lists of `width` actions.
    void resize(std::size_t rows, std::size_t bytes, std::size_t width) {
        codes.resize(rows * bytes);
        actions.resize(rows * width);
        numbers.resize(rows * width);
        weights.resize(rows);
        players.resize(rows);
        steps.resize(rows);
    }

    // Copies decision `row` of `from` to row `to` of this table; its lists are padded to `width`
    // with action -1 and number 0.
    void write(std::size_t to, const DecisionRows& from, std::size_t row, std::size_t bytes,
               std::size_t width) {
        std::copy_n(from.codes.data() + row * bytes, bytes, codes.data.get() + to * bytes);
        weights.data[to] = from.weights[row];
        players.data[to] = from.players[row];
        steps.data[to] = static_cast<std::int32_t>(from.order[row]) - 1;
        const std::size_t first = from.first[row];
        const std::size_t count = from.first[row + 1] - first;
        Action* action = actions.data.get() + to * width;
        std::fill_n(std::copy_n(from.actions.data() + first, count, action), width - count,
                    Action(-1));
        float* number = numbers.data.get() + to * width;
        std::fill_n(std::copy_n(from.numbers.data() + first, count, number), width - count, 0.0f);
    }
};

// Value samples as columns: the code of the history, the action taken, whether it explored, and the
// return of the game. The last argument of its functions is unused, so that `resize` and `write`
// are called as those of a DecisionTable are.
struct ValueTable {
    Block<std::uint8_t> codes;
    Block<Action> actions;
    Block<std::uint8_t> explored;
    Block<float> returns;

    // Makes room for `rows` samples with codes of `bytes` bytes.
    void resize(std::size_t rows, std::size_t bytes, std::size_t) {
        codes.resize(rows * bytes);
        actions.resize(rows);
        explored.resize(rows);
        returns.resize(rows);
    }

    // Copies row `row` of `from` to row `to` of this table.
    void write(std::size_t to, const ValueRows& from, std::size_t row, std::size_t bytes,
               std::size_t) {
        std::copy_n(from.codes.data() + row * bytes, bytes, codes.data.get() + to * bytes);
        actions.data[to] = from.actions[row];
        explored.data[to] = from.explored[row];
        returns.data[to] = from.returns[row];
    }
};

}  // namespace fogtree::deep
