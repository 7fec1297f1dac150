// A multilayer perceptron: rectified hidden layers, a linear head.
//
// Inputs are mostly zero, so the first layer adds up the weight rows of the nonzero ones; the head
// computes only the wanted outputs.
#pragma once

#include <memory>
#include <vector>

#include "common/aligned_allocator.hpp"
#include "deep/game.hpp"
#include "deep/kernels.hpp"

namespace fogtree::deep {

using Floats = std::vector<float, AlignedAllocator<float>>;

// A linear layer as PyTorch stores it: `weight` is outputs x inputs, row after row.
struct Layer {
    int inputs = 0;
    int outputs = 0;
    std::vector<float> weight;
    std::vector<float> bias;
};

// For each row of inputs, which outputs are wanted: action[first[r]] to action[first[r + 1] - 1].
struct Wanted {
    std::vector<std::uint32_t> first{0};  // rows + 1
    std::vector<Action> action;

    void clear() {
        first.resize(1);
        action.clear();
    }
    void end_row() { first.push_back(static_cast<std::uint32_t>(action.size())); }
};

// A network that is ready to run: its weights in the order in which the kernels read them.
class Network {
public:
    // `quantised`: layers between the first and the head use whole numbers, which are about one
    // percent less exact.
    explicit Network(const std::vector<Layer>& layers, bool quantised = false,
                     const Kernels& kernels = deep::kernels());

    int inputs() const { return inputs_; }
    int outputs() const { return outputs_; }

    // Memory for the values between layers, which calls may reuse.
    struct Scratch {
        Floats now, next;
        std::vector<std::uint8_t, AlignedAllocator<std::uint8_t>> bytes;
        std::vector<float> scales;
    };
    // `out` gets one number for every wanted action, row after row.
    void run(const SparseRows& rows, const Wanted& wanted, float* out, Scratch& scratch) const;

private:
    // A hidden layer.
    struct Hidden {
        int inputs = 0;
        int width = 0;  // outputs, padded
        Floats weight;  // the first layer by inputs, the others in panels
        Floats bias;
        std::vector<std::int8_t, AlignedAllocator<std::int8_t>> bytes;  // weights, if quantised
        Floats scale;                                                   // of each output's bytes
    };
    static Hidden hidden_of(const Layer& layer, bool first, int padded_inputs);
    static void quantise(const Layer& layer, Hidden& hidden);
    void next_layer(std::size_t i, int rows, Scratch& scratch) const;
    void first_layer(const SparseRows& rows, std::size_t from, std::size_t count, float* out) const;

    const Kernels* kernels_;
    bool quantised_;
    int inputs_;
    int outputs_;
    std::vector<Hidden> hidden_;
    int head_width_;
    Floats head_;  // outputs x head_width_
    std::vector<float> head_bias_;
};

}  // namespace fogtree::deep
