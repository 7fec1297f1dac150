// Compiled once per instruction set; FOGTREE_ISA is the namespace.
#include <cstring>

#include "kernels.hpp"

namespace fogtree::deep::FOGTREE_ISA {

namespace {

#if defined(__AVX512F__)
constexpr int kLanes = 16, kTileRows = 8;
#elif defined(__AVX2__)
constexpr int kLanes = 8, kTileRows = 4;
#else
constexpr int kLanes = 4, kTileRows = 4;
#endif
constexpr int kTileVectors = 2;
constexpr int kTileColumns = kTileVectors * kLanes;
static_assert(kPanel % kTileColumns == 0 && kRowBlock % kTileRows == 0);

typedef float Vector __attribute__((vector_size(kLanes * sizeof(float))));

inline Vector load(const float* from) {
    Vector v;
    std::memcpy(&v, from, sizeof v);
    return v;
}

inline void store_positive(float* to, const Vector& v) {
    const Vector out = v > 0 ? v : Vector{};
    std::memcpy(to, &out, sizeof out);
}

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

// A tile of kTileRows x kTileColumns outputs stays in registers.
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

}  // namespace

extern const Kernels table;
const Kernels table{FOGTREE_ISA_NAME, sparse, dense, dot};

}  // namespace fogtree::deep::FOGTREE_ISA
