// The network's arithmetic as templates over the two steps that need a processor's own
// instructions. Included by the inference files only; it calls nothing that another file could
// instantiate with other processor flags.
#pragma once

#include "inference.hpp"

namespace fogtree::nnue {

template <class Simd>
struct Arithmetic {
    static void add(const Network& network, int feature, Half& half) {
        const Column& column = network.weight.data()[feature];
        for (int index = 0; index < width; ++index)
            half.value[index] = static_cast<std::int16_t>(half.value[index] + column.value[index]);
        const std::int32_t* psqt = network.psqt.data() + feature * buckets;
        for (int bucket = 0; bucket < buckets; ++bucket) half.psqt[bucket] += psqt[bucket];
    }

    static void refresh(const Network& network, const int* list, int count, Half& out) {
        for (int index = 0; index < width; ++index) out.value[index] = network.bias.value[index];
        for (int bucket = 0; bucket < buckets; ++bucket) out.psqt[bucket] = 0;
        for (int number = 0; number < count; ++number) add(network, list[number], out);
    }

    // Most moves take one or two features away and put one in: those are done in one pass.
    static void update(const Network& network, const Half& from, const int* removed, int removals,
                       const int* added, int additions, Half& out) {
        const std::int16_t* minus = network.weight.data()[removed[0]].value;
        const std::int16_t* plus = network.weight.data()[added[0]].value;
        const std::int32_t* psqt_minus = network.psqt.data() + removed[0] * buckets;
        const std::int32_t* psqt_plus = network.psqt.data() + added[0] * buckets;
        for (int index = 0; index < width; ++index)
            out.value[index] =
                static_cast<std::int16_t>(from.value[index] - minus[index] + plus[index]);
        for (int bucket = 0; bucket < buckets; ++bucket)
            out.psqt[bucket] = from.psqt[bucket] - psqt_minus[bucket] + psqt_plus[bucket];
        for (int number = 1; number < removals; ++number) {
            const std::int16_t* more = network.weight.data()[removed[number]].value;
            const std::int32_t* psqt = network.psqt.data() + removed[number] * buckets;
            for (int index = 0; index < width; ++index)
                out.value[index] = static_cast<std::int16_t>(out.value[index] - more[index]);
            for (int bucket = 0; bucket < buckets; ++bucket) out.psqt[bucket] -= psqt[bucket];
        }
        for (int number = 1; number < additions; ++number) add(network, added[number], out);
    }

    static std::int32_t clipped(std::int32_t sum) {
        const std::int32_t scaled = sum >> 6;
        return scaled < 0 ? 0 : scaled > 127 ? 127 : scaled;
    }
    static std::int32_t squared(std::int32_t sum) {
        const std::int64_t scaled = (static_cast<std::int64_t>(sum) * sum) >> 19;
        return scaled > 127 ? 127 : static_cast<std::int32_t>(scaled);
    }

    static Output evaluate(const Network& network, const Half& mover, const Half& other,
                           int bucket) {
        const Stack& stack = network.stacks.data()[bucket];
        alignas(64) std::uint8_t inputs[width];
        Simd::multiply_pairs(mover, inputs);
        Simd::multiply_pairs(other, inputs + width / 2);
        alignas(64) std::int32_t first[first_outputs];
        Simd::first_layer(stack, inputs, first);

        std::int32_t second[second_outputs];
        for (int output = 0; output < second_outputs; ++output)
            second[output] = stack.second_bias[output];
        constexpr int passed_on = first_outputs - 1;
        for (int input = 0; input < passed_on; ++input) {
            const std::int32_t square = squared(first[input]);
            const std::int32_t line = clipped(first[input]);
            const std::int16_t* by_square = stack.second_weight[input];
            const std::int16_t* by_line = stack.second_weight[input + passed_on];
            for (int output = 0; output < second_outputs; ++output)
                second[output] += square * by_square[output] + line * by_line[output];
        }
        std::int32_t sum = stack.third_bias;
        for (int input = 0; input < second_outputs; ++input)
            sum += clipped(second[input]) * stack.third_weight[input];
        // The last output of the first layer goes straight to the end, in the end's units.
        constexpr std::int32_t unit = 600 * 16;
        sum += first[passed_on] * unit / (127 * 64);
        return {(mover.psqt[bucket] - other.psqt[bucket]) / 2, sum};
    }

    static constexpr Inference table(const char* name) { return {name, refresh, update, evaluate}; }
};

}  // namespace fogtree::nnue
