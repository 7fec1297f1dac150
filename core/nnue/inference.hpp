// Running the network, compiled once per kind of processor and picked at run time.
#pragma once

#include <cstdint>

#include "network.hpp"

namespace fogtree::nnue {

// One side's half of the first layer.
struct alignas(64) Half {
    std::int16_t value[width];
    std::int32_t psqt[buckets];
};

struct Output {
    std::int32_t psqt;        // the table's part, before scaling
    std::int32_t positional;  // the stack's part, before scaling
};

struct Inference {
    const char* name;
    // The sum of the features' columns.
    void (*refresh)(const Network&, const int* features, int count, Half& out);
    // `from` with features taken away and put in.
    void (*update)(const Network&, const Half& from, const int* removed, int removals,
                   const int* added, int additions, Half& out);
    Output (*evaluate)(const Network&, const Half& mover, const Half& other, int bucket);
};

// The fastest one that this processor runs.
const Inference& inference();
// "avx2" or "portable"; null if there is none of that name here.
const Inference* find_inference(const char* name);

}  // namespace fogtree::nnue
