// The arithmetic of a layer, once per instruction set.
//
// A row's result never depends on which rows it is computed with, or on how many. Whole numbers
// follow B. Jacob et al., "Quantization and training of neural networks for efficient
// integer-arithmetic-only inference", CVPR 2018.
// Deviations: seven bits for the inputs of a layer, so that no sum of two products overflows 16
// bits, with one scale a row; eight for weights, with one scale an output, and no zero points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fogtree::deep {

inline constexpr int kPanel = 32;    // outputs are padded to whole panels
inline constexpr int kRowBlock = 8;  // rows are padded to whole blocks

// The functions of one instruction set.
struct Kernels {
    const char* name;
    // out[o] = max(0, bias[o] + sum over k of value[k] * weight[index[k] * width + o])
    void (*sparse)(const std::uint16_t* index, const float* value, std::size_t count,
                   const float* weight, const float* bias, int width, float* out);
    // out = max(0, bias + in * weight): rows in whole blocks, weights in panels of `inputs` rows.
    void (*dense)(const float* in, int in_width, int rows, const float* weight, const float* bias,
                  int inputs, int width, float* out);
    // The inner product; `width` is a multiple of kPanel.
    float (*dot)(const float* a, const float* b, int width);
    // Writes a row of numbers >= 0 as whole numbers from 0 to 127, and returns the scale: out times
    // scale is about `in`.
    float (*quantise)(const float* in, int width, std::uint8_t* out);
    // As `dense`, in whole numbers: weights in panels, four inputs of an output side by side.
    void (*quantised)(const std::uint8_t* in, const float* in_scale, int rows,
                      const std::int8_t* weight, const float* scale, const float* bias, int inputs,
                      int width, float* out);
};

// The kernels that this processor can run; the last is the fastest.
std::vector<const Kernels*> all_kernels();
const Kernels& kernels();  // the fastest

}  // namespace fogtree::deep
