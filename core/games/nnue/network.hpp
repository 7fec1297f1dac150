// The weights of an efficiently updatable network: Stockfish's or fogtree's own.
//
// Nasu, "Efficiently updatable neural-network-based evaluation functions for computer shogi"
// (2018); the layers are those of Stockfish 15.1: a table of piece squares summed up for either
// side, multiplied in pairs, then one of several small stacks by the number of pieces; a second
// table of piece squares is added to its output.
// Deviations: the number of summed values, the stacks and how inputs depend on the king are data,
// so that Stockfish's network and small ones of our own run through the same code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "games/nnue/features.hpp"

namespace fogtree::nnue {

inline constexpr int most_width = 1024;  // summed values of either side
inline constexpr int width_step = 128;   // widths are multiples of it
inline constexpr int most_stacks = 8;
inline constexpr int chunk = 4;           // inputs of a layer that are taken together
inline constexpr int first_outputs = 16;  // the last of them bypasses the other layers
inline constexpr int second_inputs = 2 * first_outputs;  // the last two are unused
inline constexpr int second_outputs = 32;
inline constexpr int output_scale = 16;  // a value is the output divided by this

// The three layers after the table of piece squares. Weights are ordered
// [input / 4][output][input % 4], so that four inputs meet all outputs at once.
struct Stack {
    std::int32_t first_bias[first_outputs];
    alignas(64) std::int8_t first_weight[most_width / chunk][first_outputs][chunk];
    alignas(64) std::int8_t second_weight[second_inputs / chunk][second_outputs][chunk];
    std::int32_t second_bias[second_outputs];
    std::int32_t third_weight[second_outputs];
    std::int32_t third_bias;
};

// One side's half of the accumulator: its sums over the two tables of piece squares.
struct alignas(64) Half {
    std::int16_t value[most_width];  // of the first table; a stack's inputs are made of them
    std::int32_t psqt[most_stacks];  // of the second table, by stack
};

// A network that is ready to run.
struct Network {
    std::string description;
    FeatureSet inputs;
    int width = 0;   // summed values of either side
    float unit = 1;  // a value is tanh(output / unit)
    Half empty{};    // the half of a board without pieces: the bias
    std::vector<Stack> stacks;

    // Makes room for the columns of all features and for the stacks, filled with zeros; `values` is
    // the width.
    void resize(int values, int stack_count) {
        width = values;
        const auto lines = static_cast<std::size_t>(inputs.count()) *
                           static_cast<std::size_t>(values / Line::values);
        columns_.assign(lines, Line{});
        psqt_.assign(static_cast<std::size_t>(inputs.count()) * most_stacks, 0);
        stacks.assign(static_cast<std::size_t>(stack_count), Stack{});
    }
    // What a feature adds to the sums of the first table, `width` numbers.
    FOGTREE_INLINE std::int16_t* column(int feature) {
        return columns_.data()[line(feature)].value;
    }
    FOGTREE_INLINE const std::int16_t* column(int feature) const {
        return columns_.data()[line(feature)].value;
    }
    // What a feature adds to the sums of the second table, a number for each stack.
    FOGTREE_INLINE std::int32_t* psqt(int feature) { return psqt_.data() + feature * most_stacks; }
    FOGTREE_INLINE const std::int32_t* psqt(int feature) const {
        return psqt_.data() + feature * most_stacks;
    }

    // The number of the stack for a position with this many pieces, 1 to 32.
    int stack_for(int pieces) const { return (pieces - 1) * static_cast<int>(stacks.size()) / 32; }

private:
    // 64 bytes of numbers, aligned as vector instructions want them.
    struct alignas(64) Line {
        static constexpr int values = 32;
        std::int16_t value[values];
    };
    // The index of a feature's first line in columns_.
    FOGTREE_INLINE std::size_t line(int feature) const {
        return static_cast<std::size_t>(feature) * static_cast<std::size_t>(width / Line::values);
    }

    std::vector<Line> columns_;
    std::vector<std::int32_t> psqt_;  // by feature and stack
};

}  // namespace fogtree::nnue
