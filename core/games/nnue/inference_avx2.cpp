// Inference for x86 processors with AVX2; compiled with the flags for it.
#include <immintrin.h>

#include <cstring>

#include "games/nnue/inference_template.hpp"

namespace fogtree::nnue {

// The steps of inference by AVX2 instructions.
struct Avx2 {
    typedef std::uint16_t Vector __attribute__((vector_size(32), may_alias));
    static constexpr int tile = 8;  // vectors that stay in registers in Arithmetic::apply

    // Products of pairs of numbers, each clamped to 0..127, divided by 128.
    static __m256i product(const std::int16_t* one, const std::int16_t* two) {
        const __m256i zero = _mm256_setzero_si256();
        const __m256i top = _mm256_set1_epi16(127);
        const __m256i a = _mm256_load_si256(reinterpret_cast<const __m256i*>(one));
        const __m256i b = _mm256_load_si256(reinterpret_cast<const __m256i*>(two));
        const __m256i low = _mm256_max_epi16(_mm256_min_epi16(a, top), zero);
        const __m256i high = _mm256_max_epi16(_mm256_min_epi16(b, top), zero);
        return _mm256_srli_epi16(_mm256_mullo_epi16(low, high), 7);
    }

    // Writes half of the inputs of a stack's first layer: the products of the numbers at i and at
    // i + width / 2 of an accumulator's half, each clamped to 0..127, divided by 128.
    static void multiply_pairs(const Half& half, int width, std::uint8_t* out) {
        constexpr int step = 32;
        const std::int16_t* one = half.value;
        const std::int16_t* two = half.value + width / 2;
        for (int index = 0; index < width / 2; index += step) {
            const __m256i packed = _mm256_packus_epi16(product(one + index, two + index),
                                                       product(one + index + 16, two + index + 16));
            // Packing works within halves of the register; put them back in order.
            _mm256_store_si256(reinterpret_cast<__m256i*>(out + index),
                               _mm256_permute4x64_epi64(packed, 0b11011000));
        }
    }

    // Adds to each of eight sums the dot product of four inputs and four weights. No sum of two
    // products overflows 16 bits: the inputs are at most 127.
    static __m256i dot(__m256i sum, __m256i inputs, const std::int8_t* weights) {
        const __m256i pairs = _mm256_maddubs_epi16(
            inputs, _mm256_load_si256(reinterpret_cast<const __m256i*>(weights)));
        return _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
    }
    // Four inputs, repeated in every lane of 32 bits.
    static __m256i spread(const std::uint8_t* inputs) {
        std::int32_t four;
        std::memcpy(&four, inputs, sizeof four);
        return _mm256_set1_epi32(four);
    }
    // Loads eight sums.
    static __m256i load(const std::int32_t* numbers) {
        return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(numbers));
    }
    // Stores eight sums; the address must be aligned to 32 bytes.
    static void store(std::int32_t* numbers, __m256i sum) {
        _mm256_store_si256(reinterpret_cast<__m256i*>(numbers), sum);
    }

    // Writes the outputs of a stack's first layer; groups of four inputs that are all 0 are
    // skipped.
    static void first_layer(const Stack& stack, const std::uint8_t* inputs, int width,
                            std::int32_t* out) {
        __m256i low = load(stack.first_bias);
        __m256i high = load(stack.first_bias + 8);
        for (int block = 0; block < width; block += 32) {
            const __m256i bytes_here =
                _mm256_load_si256(reinterpret_cast<const __m256i*>(inputs + block));
            const __m256i free = _mm256_cmpeq_epi32(bytes_here, _mm256_setzero_si256());
            unsigned used =
                ~static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(free))) & 255u;
            for (; used; used &= used - 1) {
                const int group = block / chunk + __builtin_ctz(used);
                const __m256i four = spread(inputs + group * chunk);
                const std::int8_t* weights = &stack.first_weight[group][0][0];
                low = dot(low, four, weights);
                high = dot(high, four, weights + 32);
            }
        }
        store(out, low);
        store(out + 8, high);
    }

    // Writes the outputs of a stack's second layer.
    static void second_layer(const Stack& stack, const std::uint8_t* inputs, std::int32_t* out) {
        __m256i sum[4];
        for (int part = 0; part < 4; ++part) sum[part] = load(stack.second_bias + 8 * part);
        for (int group = 0; group < second_inputs / chunk; ++group) {
            const __m256i four = spread(inputs + group * chunk);
            for (int part = 0; part < 4; ++part)
                sum[part] = dot(sum[part], four, &stack.second_weight[group][8 * part][0]);
        }
        for (int part = 0; part < 4; ++part) store(out + 8 * part, sum[part]);
    }
};

extern const Inference avx2_inference;
const Inference avx2_inference = Arithmetic<Avx2>::table("avx2");

}  // namespace fogtree::nnue
