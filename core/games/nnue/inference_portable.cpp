// Inference for any processor.
#include "games/nnue/inference_template.hpp"

namespace fogtree::nnue {

// The steps of inference without special instructions.
struct Portable {
    typedef std::uint16_t Vector __attribute__((vector_size(16), may_alias));
    static constexpr int tile = 8;  // vectors that stay in registers in Arithmetic::apply

    // A number clamped to 0..127.
    static int clamp(int value) { return value < 0 ? 0 : value > 127 ? 127 : value; }

    // Writes half of the inputs of a stack's first layer: the products of the numbers at i and at
    // i + width / 2 of an accumulator's half, each clamped to 0..127, divided by 128.
    static void multiply_pairs(const Half& half, int width, std::uint8_t* out) {
        for (int index = 0; index < width / 2; ++index) {
            const int low = clamp(half.value[index]);
            const int high = clamp(half.value[index + width / 2]);
            out[index] = static_cast<std::uint8_t>(low * high / 128);
        }
    }

    // Adds input number `input`, which has this value, times its weights to all outputs.
    template <int Outputs>
    static void add_input(const std::int8_t (*weights)[Outputs][chunk], int input, int value,
                          std::int32_t* out) {
        if (value == 0) return;
        for (int output = 0; output < Outputs; ++output)
            out[output] += value * weights[input / chunk][output][input % chunk];
    }

    // Writes the outputs of a stack's first layer.
    static void first_layer(const Stack& stack, const std::uint8_t* inputs, int width,
                            std::int32_t* out) {
        for (int output = 0; output < first_outputs; ++output)
            out[output] = stack.first_bias[output];
        for (int input = 0; input < width; ++input)
            add_input(stack.first_weight, input, inputs[input], out);
    }

    // Writes the outputs of a stack's second layer.
    static void second_layer(const Stack& stack, const std::uint8_t* inputs, std::int32_t* out) {
        for (int output = 0; output < second_outputs; ++output)
            out[output] = stack.second_bias[output];
        for (int input = 0; input < second_inputs; ++input)
            add_input(stack.second_weight, input, inputs[input], out);
    }
};

extern const Inference portable_inference;
const Inference portable_inference = Arithmetic<Portable>::table("portable");

}  // namespace fogtree::nnue
