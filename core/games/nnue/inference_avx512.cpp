// Inference for x86 processors with AVX-512 and its instructions for networks; compiled with the
// flags for them.
#include <immintrin.h>

#include <cstring>

#include "games/nnue/inference_template.hpp"

namespace fogtree::nnue {

// The steps of inference by AVX-512 instructions.
struct Avx512 {
    typedef std::uint16_t Vector __attribute__((vector_size(64), may_alias));
    static constexpr int tile = 4;  // vectors that stay in registers in Arithmetic::apply

    // Loads 64 bytes.
    static __m512i load(const void* numbers) { return _mm512_loadu_si512(numbers); }

    // Products of pairs of numbers, each clamped to 0..127, divided by 128.
    static __m512i product(const std::int16_t* one, const std::int16_t* two) {
        const __m512i zero = _mm512_setzero_si512();
        const __m512i top = _mm512_set1_epi16(127);
        const __m512i low = _mm512_max_epi16(_mm512_min_epi16(load(one), top), zero);
        const __m512i high = _mm512_max_epi16(_mm512_min_epi16(load(two), top), zero);
        return _mm512_srli_epi16(_mm512_mullo_epi16(low, high), 7);
    }

    // Writes half of the inputs of a stack's first layer: the products of the numbers at i and at
    // i + width / 2 of an accumulator's half, each clamped to 0..127, divided by 128.
    static void multiply_pairs(const Half& half, int width, std::uint8_t* out) {
        // Packing works within quarters of the register; this puts them back in order.
        const __m512i in_order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
        const std::int16_t* one = half.value;
        const std::int16_t* two = half.value + width / 2;
        for (int index = 0; index < width / 2; index += 64) {
            const __m512i packed = _mm512_packus_epi16(product(one + index, two + index),
                                                       product(one + index + 32, two + index + 32));
            // With a mask that keeps all: without one, GCC 12 warns of its own header.
            _mm512_storeu_si512(out + index,
                                _mm512_maskz_permutexvar_epi64(0xff, in_order, packed));
        }
    }

    // Four inputs, repeated in every lane of 32 bits.
    static __m512i spread(const std::uint8_t* inputs) {
        std::int32_t four;
        std::memcpy(&four, inputs, sizeof four);
        return _mm512_set1_epi32(four);
    }

    // Writes the numbers of the groups of four inputs that are not all 0, in order; returns how
    // many.
    static int used_groups(const std::uint8_t* inputs, int width, std::int32_t* groups) {
        int size = 0;
        __m512i numbers = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        for (int block = 0; block < width; block += 64) {
            const __m512i here = load(inputs + block);
            const __mmask16 used = _mm512_test_epi32_mask(here, here);
            _mm512_storeu_si512(groups + size, _mm512_maskz_compress_epi32(used, numbers));
            size += __builtin_popcount(used);
            numbers = _mm512_add_epi32(numbers, _mm512_set1_epi32(16));
        }
        return size;
    }

    // Writes the outputs of a stack's first layer; groups of four inputs that are all 0 are
    // skipped.
    static void first_layer(const Stack& stack, const std::uint8_t* inputs, int width,
                            std::int32_t* out) {
        alignas(64) std::int32_t groups[most_width / chunk + 16];
        const int size = used_groups(inputs, width, groups);
        // Four sums, so that none waits for the one before.
        __m512i sums[4] = {load(stack.first_bias), _mm512_setzero_si512(), _mm512_setzero_si512(),
                           _mm512_setzero_si512()};
        const auto add = [&](int number, int sum) {
            const std::int32_t group = groups[number];
            sums[sum] = _mm512_dpbusd_epi32(sums[sum], spread(inputs + group * chunk),
                                            load(stack.first_weight[group]));
        };
        int number = 0;
        for (; number + 4 <= size; number += 4)
            for (int sum = 0; sum < 4; ++sum) add(number + sum, sum);
        for (; number < size; ++number) add(number, 0);
        const __m512i total = _mm512_add_epi32(_mm512_add_epi32(sums[0], sums[1]),
                                               _mm512_add_epi32(sums[2], sums[3]));
        _mm512_store_si512(out, total);
    }

    // Writes the outputs of a stack's second layer.
    static void second_layer(const Stack& stack, const std::uint8_t* inputs, std::int32_t* out) {
        __m512i low = load(stack.second_bias);
        __m512i high = load(stack.second_bias + 16);
        for (int group = 0; group < second_inputs / chunk; ++group) {
            const __m512i four = spread(inputs + group * chunk);
            low = _mm512_dpbusd_epi32(low, four, load(stack.second_weight[group]));
            high = _mm512_dpbusd_epi32(high, four, load(stack.second_weight[group][16]));
        }
        _mm512_store_si512(out, low);
        _mm512_store_si512(out + 16, high);
    }
};

extern const Inference avx512_inference;
const Inference avx512_inference = Arithmetic<Avx512>::table("avx512");

}  // namespace fogtree::nnue
