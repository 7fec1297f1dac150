#include "games/nnue/own_network.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace fogtree::nnue {

namespace {

constexpr int passed_on = first_outputs - 1;  // outputs of the first layer that the second one gets
constexpr int used_inputs = 2 * passed_on;    // of the second layer: each squared and as it is

// Throws unless a condition holds that the arrays must fulfil.
void expect(bool fits) {
    if (!fits) throw std::invalid_argument("the network's arrays do not fit each other");
}

// Throws unless an array has this size.
template <class Number>
void expect_size(const std::vector<Number>& numbers, int size) {
    expect(numbers.size() == static_cast<std::size_t>(size));
}

// Sums stay within 32 bits: of at most 64 squares' values, or of a bias and products of bytes.
constexpr std::int32_t most_psqt = 1 << 24;
constexpr std::int32_t most_bias = 1 << 26;

// Refuses numbers below -bound or above bound.
void expect_within(const std::vector<std::int32_t>& numbers, std::int32_t bound) {
    const bool fits = std::all_of(numbers.begin(), numbers.end(), [=](std::int32_t number) {
        return number >= -bound && number <= bound;
    });
    if (!fits)
        throw std::invalid_argument(
            "a number of the network is so large that a sum could overflow");
}

// Refuses arrays of wrong sizes, and numbers that could overflow.
void check(const NetworkArrays& arrays, int width, int features, int stacks) {
    expect(width >= width_step && width <= most_width && width % width_step == 0);
    expect(stacks >= 1 && stacks <= most_stacks);
    expect_size(arrays.weight, features * width);
    expect_size(arrays.psqt, features * stacks);
    expect_size(arrays.first_weight, stacks * first_outputs * width);
    expect_size(arrays.first_bias, stacks * first_outputs);
    expect_size(arrays.second_weight, stacks * second_outputs * used_inputs);
    expect_size(arrays.second_bias, stacks * second_outputs);
    expect_size(arrays.third_weight, stacks * second_outputs);
    expect_within(arrays.psqt, most_psqt);
    expect_within(arrays.first_bias, most_bias);
    expect_within(arrays.second_bias, most_bias);
    expect_within(arrays.third_bias, most_bias);
}

// Copies a layer's weights from the file's order (all inputs of one output, then the next output)
// to the order in which they are read: for each four inputs, the weights of all outputs.
template <int Outputs>
void interleave(const std::int8_t* source, int inputs, std::int8_t (*out)[Outputs][chunk]) {
    for (int output = 0; output < Outputs; ++output)
        for (int input = 0; input < inputs; ++input)
            out[input / chunk][output][input % chunk] = source[output * inputs + input];
}

}  // namespace

// A network of fogtree's own format from the arrays of its file; checks their sizes and ranges.
Network own_network(std::string description, float unit, bool mirrored,
                    const NetworkArrays& arrays) {
    Network network;
    expect(std::isfinite(unit) && unit > 0);
    network.description = std::move(description);
    network.unit = unit;
    expect_size(arrays.king_bucket, 64);
    const int buckets = 1 + *std::max_element(arrays.king_bucket.begin(), arrays.king_bucket.end());
    expect(buckets <= 32);
    network.inputs = {{}, mirrored, false, buckets};
    std::copy(arrays.king_bucket.begin(), arrays.king_bucket.end(), network.inputs.king_bucket);
    const int features = network.inputs.count();
    const int width = static_cast<int>(std::min<std::size_t>(arrays.bias.size(), 1 << 16));
    const int stacks = static_cast<int>(std::min<std::size_t>(arrays.third_bias.size(), 1 << 16));
    check(arrays, width, features, stacks);
    network.resize(width, stacks);
    std::copy(arrays.bias.begin(), arrays.bias.end(), network.empty.value);
    for (int feature = 0; feature < features; ++feature) {
        std::copy_n(arrays.weight.begin() + feature * width, width, network.column(feature));
        std::copy_n(arrays.psqt.begin() + feature * stacks, stacks, network.psqt(feature));
    }
    for (int number = 0; number < stacks; ++number) {
        Stack& stack = network.stacks[static_cast<std::size_t>(number)];
        interleave(arrays.first_weight.data() + number * first_outputs * width, width,
                   stack.first_weight);
        interleave(arrays.second_weight.data() + number * second_outputs * used_inputs, used_inputs,
                   stack.second_weight);
        std::copy_n(arrays.first_bias.begin() + number * first_outputs, first_outputs,
                    stack.first_bias);
        std::copy_n(arrays.second_bias.begin() + number * second_outputs, second_outputs,
                    stack.second_bias);
        std::copy_n(arrays.third_weight.begin() + number * second_outputs, second_outputs,
                    stack.third_weight);
        stack.third_bias = arrays.third_bias[static_cast<std::size_t>(number)];
    }
    return network;
}

}  // namespace fogtree::nnue
