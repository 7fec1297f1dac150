#include "games/nnue/inference.hpp"

#include <cstring>

#include "common/cpu_features.hpp"

namespace fogtree::nnue {

extern const Inference portable_inference;
#if defined(FOGTREE_X86)
extern const Inference avx2_inference;
extern const Inference avx512_inference;
#endif

// The inference of this name; null if this processor or build does not have it.
const Inference* find_inference(const char* name) {
#if defined(FOGTREE_X86)
    const CpuFeatures& cpu = CpuFeatures::here();
    if (std::strcmp(name, "avx512") == 0 && cpu.avx512_vnni) return &avx512_inference;
    if (std::strcmp(name, "avx2") == 0 && cpu.avx2) return &avx2_inference;
#endif
    return std::strcmp(name, "portable") == 0 ? &portable_inference : nullptr;
}

// The fastest inference of this processor.
const Inference& inference() {
    static const Inference* const best = [] {
        for (const char* name : {"avx512", "avx2"})
            if (const Inference* found = find_inference(name)) return found;
        return &portable_inference;
    }();
    return *best;
}

}  // namespace fogtree::nnue
