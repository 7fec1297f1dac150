// Compiled once per instruction set; FOGTREE_ISA is the namespace.
#include <cstring>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "common/simd_vector.hpp"
#include "deep/kernels.hpp"

namespace fogtree::deep::FOGTREE_ISA {

namespace {

#if defined(__AVX512F__)
constexpr int kTileRows = 8;
#else
constexpr int kTileRows = 4;
#endif
constexpr int kLanes = fogtree::FOGTREE_ISA::kLanes<float>;
constexpr int kTileVectors = 2;
constexpr int kTileColumns = kTileVectors * kLanes;
static_assert(kPanel % kTileColumns == 0 && kRowBlock % kTileRows == 0);

using Vector = fogtree::FOGTREE_ISA::Vector<float, kLanes>;

inline Vector load(const float* from) {
    return fogtree::FOGTREE_ISA::load<Vector>(from);
}

// Stores max(0, v) of each number: the rectifier.
inline void store_positive(float* to, const Vector& v) {
    fogtree::FOGTREE_ISA::store(to, fogtree::FOGTREE_ISA::positive(v));
}

// kCount * kLanes neighbouring outputs of a layer with sparse inputs, after the rectifier. `width`
// is the number of outputs of the whole layer.
template <int kCount>
inline void sparse_columns(const std::uint16_t* index, const float* value, std::size_t count,
                           const float* weight, const float* bias, std::size_t width, float* out) {
    Vector sums[kCount];
    for (int v = 0; v < kCount; ++v) sums[v] = load(bias + v * kLanes);
    for (std::size_t k = 0; k < count; ++k) {
        const float* row = weight + index[k] * width;
        const Vector factor = Vector{} + value[k];
        for (int v = 0; v < kCount; ++v) sums[v] += factor * load(row + v * kLanes);
    }
    for (int v = 0; v < kCount; ++v) store_positive(out + v * kLanes, sums[v]);
}

// All outputs of a layer with sparse inputs, after the rectifier; the sums of eight vectors at a
// time stay in registers. See Kernels::sparse for the arguments.
void sparse(const std::uint16_t* index, const float* value, std::size_t count, const float* weight,
            const float* bias, int width, float* out) {
    constexpr int many = 8;
    int column = 0;
    for (; column + many * kLanes <= width; column += many * kLanes) {
        sparse_columns<many>(index, value, count, weight + column, bias + column,
                             static_cast<std::size_t>(width), out + column);
    }
    for (; column < width; column += kTileColumns) {
        sparse_columns<kTileVectors>(index, value, count, weight + column, bias + column,
                                     static_cast<std::size_t>(width), out + column);
    }
}

// Computes a tile of kTileRows x kTileColumns outputs of a dense layer, after the rectifier; its
// sums stay in registers.
inline void tile(const float* in, std::size_t in_width, const float* panel, const float* bias,
                 int inputs, std::size_t width, float* out) {
    Vector sums[kTileRows][kTileVectors];
    for (int r = 0; r < kTileRows; ++r) {
        for (int v = 0; v < kTileVectors; ++v) sums[r][v] = load(bias + v * kLanes);
    }
    for (int k = 0; k < inputs; ++k, panel += kPanel) {
        Vector weights[kTileVectors];
        for (int v = 0; v < kTileVectors; ++v) weights[v] = load(panel + v * kLanes);
        for (int r = 0; r < kTileRows; ++r) {
            const Vector factor =
                Vector{} + in[static_cast<std::size_t>(r) * in_width + static_cast<std::size_t>(k)];
            for (int v = 0; v < kTileVectors; ++v) sums[r][v] += factor * weights[v];
        }
    }
    for (int r = 0; r < kTileRows; ++r) {
        for (int v = 0; v < kTileVectors; ++v) {
            store_positive(out + static_cast<std::size_t>(r) * width + v * kLanes, sums[r][v]);
        }
    }
}

// All outputs of a layer with dense inputs, after the rectifier. A panel has the weights of kPanel
// outputs: for each input, one weight of each output.
void dense(const float* in, int in_width, int rows, const float* weight, const float* bias,
           int inputs, int width, float* out) {
    const auto in_step = static_cast<std::size_t>(in_width);
    const auto out_step = static_cast<std::size_t>(width);
    for (int column = 0; column < width; column += kTileColumns) {
        const float* panel =
            weight + static_cast<std::size_t>(column / kPanel * inputs) * kPanel + column % kPanel;
        for (int r = 0; r < rows; r += kTileRows) {
            const auto row = static_cast<std::size_t>(r);
            tile(in + row * in_step, in_step, panel, bias + column, inputs, out_step,
                 out + row * out_step + column);
        }
    }
}

// The inner product of two vectors, whose length is a multiple of kTileColumns; two partial sums
// let additions overlap.
float dot(const float* a, const float* b, int width) {
    Vector even{}, odd{};
    for (int k = 0; k < width; k += kTileColumns) {
        even += load(a + k) * load(b + k);
        odd += load(a + k + kLanes) * load(b + k + kLanes);
    }
    even += odd;
    float sum = 0;
    for (int lane = 0; lane < kLanes; ++lane) sum += even[lane];
    return sum;
}

// Scales numbers >= 0 so that the largest becomes 127 and rounds them; returns the scale, by which
// the rounded numbers are multiplied to get the old ones (0 if all are 0).
float quantise(const float* in, int width, std::uint8_t* out) {
    float most = 0;
    for (int k = 0; k < width; ++k) most = in[k] > most ? in[k] : most;
    if (!(most > 0)) {
        std::memset(out, 0, static_cast<std::size_t>(width));
        return 0;
    }
    const float factor = 127.0f / most;
    for (int k = 0; k < width; ++k) {
        out[k] = static_cast<std::uint8_t>(static_cast<int>(in[k] * factor + 0.5f));
    }
    return most / 127.0f;
}

// A `Sums` is one vector with 32 bits for each of kLanes outputs: a sum or, as bytes, four weights
// (load_bytes) or four inputs, the same for all outputs (same). add_products adds the four products
// of each output to its sum. Inputs are at most 127, so that two products fit into 16 bits
// (maddubs).
constexpr int kFour = 4;
#if defined(__AVX512F__)
using Sums = __m512i;
inline Sums load_bytes(const std::int8_t* from) {
    return _mm512_loadu_si512(from);
}
inline Sums same(std::int32_t four) {
    return _mm512_set1_epi32(four);
}
inline Sums add_products(Sums sums, Sums four, Sums weights) {
#if defined(__AVX512VNNI__)
    return _mm512_dpbusd_epi32(sums, four, weights);
#else
    const Sums pairs = _mm512_maddubs_epi16(four, weights);
    return _mm512_add_epi32(sums, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)));
#endif
}
#elif defined(__AVX2__)
using Sums = __m256i;
inline Sums load_bytes(const std::int8_t* from) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}
inline Sums same(std::int32_t four) {
    return _mm256_set1_epi32(four);
}
inline Sums add_products(Sums sums, Sums four, Sums weights) {
    const Sums pairs = _mm256_maddubs_epi16(four, weights);
    return _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}
#else
typedef std::int32_t Sums __attribute__((vector_size(kLanes * sizeof(std::int32_t))));
inline Sums load_bytes(const std::int8_t* from) {
    Sums v;
    std::memcpy(&v, from, sizeof v);
    return v;
}
inline Sums same(std::int32_t four) {
    return Sums{} + four;
}
// Byte by byte: inputs are unsigned; shifting up and down keeps a weight's sign.
inline Sums add_products(Sums sums, Sums four, Sums weights) {
    for (int b = 0; b < kFour; ++b) {
        sums += (four >> 8 * b & 255) * (weights << (24 - 8 * b) >> 24);
    }
    return sums;
}
#endif

// Computes a tile of kTileRows x kTileColumns outputs of a quantised layer, after the rectifier. A
// row is one input vector of the batch: `inputs` whole numbers, one byte each. `panel` has the
// 8-bit weights, four of one output side by side (see quantised). The true numbers are the whole
// ones times `in_scale` (one per row) times `scale` (one per output). `width`: the step from one
// row of `out` to the next.
inline void quantised_tile(const std::uint8_t* in, const float* in_scale, const std::int8_t* panel,
                           const float* scale, const float* bias, int inputs, std::size_t width,
                           float* out) {
    Sums sums[kTileRows][kTileVectors] = {};
    for (int k = 0; k < inputs; k += kFour, panel += kFour * kPanel) {
        Sums weights[kTileVectors];
        for (int v = 0; v < kTileVectors; ++v) weights[v] = load_bytes(panel + v * kFour * kLanes);
        for (int r = 0; r < kTileRows; ++r) {
            std::int32_t four;
            std::memcpy(&four, in + r * inputs + k, sizeof four);
            for (int v = 0; v < kTileVectors; ++v) {
                sums[r][v] = add_products(sums[r][v], same(four), weights[v]);
            }
        }
    }
    for (int r = 0; r < kTileRows; ++r) {
        for (int v = 0; v < kTileVectors; ++v) {
            typedef std::int32_t Whole __attribute__((vector_size(kLanes * sizeof(std::int32_t))));
            Whole whole;
            std::memcpy(&whole, &sums[r][v], sizeof whole);
            const Vector sum = __builtin_convertvector(whole, Vector);
            const Vector scales = load(scale + v * kLanes) * in_scale[r];
            store_positive(out + static_cast<std::size_t>(r) * width + v * kLanes,
                           sum * scales + load(bias + v * kLanes));
        }
    }
}

// All outputs of a layer with 8-bit inputs and weights, after the rectifier. In a panel, four
// weights of one output stand side by side.
void quantised(const std::uint8_t* in, const float* in_scale, int rows, const std::int8_t* weight,
               const float* scale, const float* bias, int inputs, int width, float* out) {
    const auto out_step = static_cast<std::size_t>(width);
    for (int column = 0; column < width; column += kTileColumns) {
        const std::int8_t* panel = weight +
                                   static_cast<std::size_t>(column / kPanel * inputs) * kPanel +
                                   column % kPanel * kFour;
        for (int r = 0; r < rows; r += kTileRows) {
            quantised_tile(in + r * inputs, in_scale + r, panel, scale + column, bias + column,
                           inputs, out_step, out + static_cast<std::size_t>(r) * out_step + column);
        }
    }
}

}  // namespace

extern const Kernels table;
const Kernels table{FOGTREE_ISA_NAME, sparse, dense, dot, quantise, quantised};

}  // namespace fogtree::deep::FOGTREE_ISA
