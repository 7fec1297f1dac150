// Inference for any processor.
#include "inference_template.hpp"

namespace fogtree::nnue {

struct Portable {
    static void multiply_pairs(const Half& half, std::uint8_t* out) {
        for (int index = 0; index < width / 2; ++index) {
            const int one = clamp(half.value[index]);
            const int two = clamp(half.value[index + width / 2]);
            out[index] = static_cast<std::uint8_t>(one * two / 128);
        }
    }
    static int clamp(int value) { return value < 0 ? 0 : value > 127 ? 127 : value; }

    static void first_layer(const Stack& stack, const std::uint8_t* inputs, std::int32_t* out) {
        for (int output = 0; output < first_outputs; ++output)
            out[output] = stack.first_bias[output];
        for (int input = 0; input < width; ++input) {
            if (inputs[input] == 0) continue;
            for (int output = 0; output < first_outputs; ++output)
                out[output] +=
                    inputs[input] * stack.first_weight[input / chunk][output][input % chunk];
        }
    }
};

extern const Inference portable_inference;
const Inference portable_inference = Arithmetic<Portable>::table("portable");

}  // namespace fogtree::nnue
