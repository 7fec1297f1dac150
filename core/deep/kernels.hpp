// The arithmetic of a layer, once per instruction set.
//
// A row's result never depends on which rows it is computed with, or on how many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fogtree::deep {

inline constexpr int kPanel = 32;    // outputs are padded to whole panels
inline constexpr int kRowBlock = 8;  // rows are padded to whole blocks

struct Kernels {
    const char* name;
    // out[o] = max(0, bias[o] + sum over k of value[k] * weight[index[k] * width + o])
    void (*sparse)(const std::uint16_t* index, const float* value, std::size_t count,
                   const float* weight, const float* bias, int width, float* out);
    // out = max(0, bias + in * weight): rows in whole blocks, weights in panels of `inputs` rows.
    void (*dense)(const float* in, int in_width, int rows, const float* weight, const float* bias,
                  int inputs, int width, float* out);
    float (*dot)(const float* a, const float* b, int width);
};

// Those this processor can run; the last is the fastest.
std::vector<const Kernels*> all_kernels();
const Kernels& kernels();

}  // namespace fogtree::deep
