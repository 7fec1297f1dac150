// The network's arithmetic as templates over the steps that need a processor's own instructions.
// Included by the inference files only; it calls nothing that another file could instantiate with
// other processor flags.
#pragma once

#include "games/nnue/inference.hpp"

namespace fogtree::nnue {

// Inference, given the steps that `Simd` implements for one instruction set.
template <class Simd>
struct Arithmetic {
    using Vector = typename Simd::Vector;
    static constexpr int tile = Simd::tile * static_cast<int>(sizeof(Vector)) / 2;  // numbers
    static_assert(width_step % tile == 0);

    // 16-bit numbers as vectors.
    static const Vector* vectors(const std::int16_t* values) {
        return reinterpret_cast<const Vector*>(values);
    }

    // Computes a half from another one by removing and adding features. A tile stays in registers
    // while all columns are added; sums wrap round.
    static void apply(const Network& network, const Half& from, const Delta& delta, Half& out) {
        for (int start = 0; start < network.width; start += tile) {
            Vector sum[Simd::tile];
            const Vector* source = vectors(from.value + start);
            for (int index = 0; index < Simd::tile; ++index) sum[index] = source[index];
            for (int number = 0; number < delta.removals; ++number) {
                const Vector* column = vectors(network.column(delta.removed[number]) + start);
                for (int index = 0; index < Simd::tile; ++index) sum[index] -= column[index];
            }
            for (int number = 0; number < delta.additions; ++number) {
                const Vector* column = vectors(network.column(delta.added[number]) + start);
                for (int index = 0; index < Simd::tile; ++index) sum[index] += column[index];
            }
            Vector* target = reinterpret_cast<Vector*>(out.value + start);
            for (int index = 0; index < Simd::tile; ++index) target[index] = sum[index];
        }
        std::int32_t sum[most_stacks];
        for (int stack = 0; stack < most_stacks; ++stack) sum[stack] = from.psqt[stack];
        for (int number = 0; number < delta.removals; ++number) {
            const std::int32_t* psqt = network.psqt(delta.removed[number]);
            for (int stack = 0; stack < most_stacks; ++stack) sum[stack] -= psqt[stack];
        }
        for (int number = 0; number < delta.additions; ++number) {
            const std::int32_t* psqt = network.psqt(delta.added[number]);
            for (int stack = 0; stack < most_stacks; ++stack) sum[stack] += psqt[stack];
        }
        for (int stack = 0; stack < most_stacks; ++stack) out.psqt[stack] = sum[stack];
    }

    static constexpr std::int32_t one = 127;  // the activation that stands for 1

    // A sum of products as an activation: divided by 64, and clipped to the range from 0 to `one`.
    static std::int32_t clipped(std::int32_t sum) {
        const std::int32_t scaled = sum >> 6;
        return scaled < 0 ? 0 : scaled > one ? one : scaled;
    }
    // The square of a sum of products as an activation: divided by 2^19, at most 127. Larger sums
    // are first cut to 2^13 - 1, which gives 127, so that the square does not overflow.
    static std::int32_t squared(std::int32_t sum) {
        constexpr std::int32_t most = (1 << 13) - 1;
        const std::int32_t cut = sum > most ? most : sum < -most ? -most : sum;
        return (cut * cut) >> 19;
    }

    // The output of stack `number` for the side to move, whose half is `mover`.
    static Output evaluate(const Network& network, const Half& mover, const Half& other,
                           int number) {
        const Stack& stack = network.stacks.data()[number];
        alignas(64) std::uint8_t inputs[most_width];
        Simd::multiply_pairs(mover, network.width, inputs);
        Simd::multiply_pairs(other, network.width, inputs + network.width / 2);
        alignas(64) std::int32_t first[first_outputs];
        Simd::first_layer(stack, inputs, network.width, first);

        // All outputs but the last are inputs of the second layer twice: squared and as they are.
        constexpr int passed_on = first_outputs - 1;
        alignas(64) std::uint8_t middle[second_inputs] = {};
        for (int input = 0; input < passed_on; ++input) {
            middle[input] = static_cast<std::uint8_t>(squared(first[input]));
            middle[input + passed_on] = static_cast<std::uint8_t>(clipped(first[input]));
        }
        alignas(64) std::int32_t second[second_outputs];
        Simd::second_layer(stack, middle, second);
        std::int32_t sum = stack.third_bias;
        for (int input = 0; input < second_outputs; ++input)
            sum += clipped(second[input]) * stack.third_weight[input];
        // The last one is added to the result, converted to its units: `one` * 64 of the sum are
        // 600 of the value.
        constexpr std::int64_t unit = 600 * output_scale;
        sum += static_cast<std::int32_t>(first[passed_on] * unit / (one * 64));
        return {(mover.psqt[number] - other.psqt[number]) / 2, sum};
    }

    // The functions of this instruction set.
    static constexpr Inference table(const char* name) { return {name, apply, evaluate}; }
};

}  // namespace fogtree::nnue
