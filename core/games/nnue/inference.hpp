// Running a network, compiled once per kind of processor and picked at run time.
#pragma once

#include <cstdint>

#include "games/nnue/network.hpp"

namespace fogtree::nnue {

// The two parts of a stack's output.
struct Output {
    std::int32_t psqt;        // from the second table of piece squares, before scaling
    std::int32_t positional;  // from the layers of the stack, before scaling

    // The value for the side to move, in the network's units.
    std::int32_t value() const { return (psqt + positional) / output_scale; }
};

// The features that are removed from a half, and those that are added.
struct Delta {
    static constexpr int most = 64;
    int removed[most];
    int added[most];
    int removals = 0;
    int additions = 0;
};

// The functions that run a network, for one instruction set.
struct Inference {
    const char* name;
    // Computes a half from another one by removing and adding features; `out` may be `from`.
    void (*apply)(const Network&, const Half& from, const Delta&, Half& out);
    // The output of a stack, from the halves of the side to move and of the other side.
    Output (*evaluate)(const Network&, const Half& mover, const Half& other, int stack);
};

// The fastest one that this processor runs.
const Inference& inference();
// "avx512", "avx2" or "portable"; null if there is none of that name here.
const Inference* find_inference(const char* name);

}  // namespace fogtree::nnue
