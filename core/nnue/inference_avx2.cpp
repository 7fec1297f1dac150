// Inference for x86 processors with AVX2; compiled with the flags for it.
#include <immintrin.h>

#include <cstring>

#include "inference_template.hpp"

namespace fogtree::nnue {

struct Avx2 {
    static __m256i product(const std::int16_t* one, const std::int16_t* two) {
        const __m256i zero = _mm256_setzero_si256();
        const __m256i top = _mm256_set1_epi16(127);
        const __m256i a = _mm256_load_si256(reinterpret_cast<const __m256i*>(one));
        const __m256i b = _mm256_load_si256(reinterpret_cast<const __m256i*>(two));
        const __m256i low = _mm256_max_epi16(_mm256_min_epi16(a, top), zero);
        const __m256i high = _mm256_max_epi16(_mm256_min_epi16(b, top), zero);
        return _mm256_srli_epi16(_mm256_mullo_epi16(low, high), 7);
    }

    static void multiply_pairs(const Half& half, std::uint8_t* out) {
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

    static __m256i dot(__m256i sum, __m256i inputs, const std::int8_t* weights) {
        const __m256i pairs = _mm256_maddubs_epi16(
            inputs, _mm256_load_si256(reinterpret_cast<const __m256i*>(weights)));
        return _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
    }

    static void first_layer(const Stack& stack, const std::uint8_t* inputs, std::int32_t* out) {
        __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(stack.first_bias));
        __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(stack.first_bias + 8));
        for (int block = 0; block < width; block += 32) {
            const __m256i bytes =
                _mm256_load_si256(reinterpret_cast<const __m256i*>(inputs + block));
            const __m256i free = _mm256_cmpeq_epi32(bytes, _mm256_setzero_si256());
            unsigned used =
                ~static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(free))) & 255u;
            for (; used; used &= used - 1) {
                const int group = block / chunk + __builtin_ctz(used);
                std::int32_t four;
                std::memcpy(&four, inputs + group * chunk, sizeof four);
                const __m256i spread = _mm256_set1_epi32(four);
                const std::int8_t* weights = &stack.first_weight[group][0][0];
                low = dot(low, spread, weights);
                high = dot(high, spread, weights + 32);
            }
        }
        _mm256_store_si256(reinterpret_cast<__m256i*>(out), low);
        _mm256_store_si256(reinterpret_cast<__m256i*>(out + 8), high);
    }
};

extern const Inference avx2_inference;
const Inference avx2_inference = Arithmetic<Avx2>::table("avx2");

}  // namespace fogtree::nnue
