#include "inference.hpp"

#include <cstring>

#if defined(FOGTREE_AVX2)
#include <cpuid.h>
#endif

namespace fogtree::nnue {

extern const Inference portable_inference;
#if defined(FOGTREE_AVX2)
extern const Inference avx2_inference;
#endif

namespace {

#if defined(FOGTREE_AVX2)
// The processor has AVX2 and the system saves its registers.
bool avx2_present() {
    constexpr unsigned osxsave = 1u << 27;
    constexpr unsigned avx2 = 1u << 5;
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !(ecx & osxsave)) return false;
    unsigned low = 0, high = 0;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if ((low & 6u) != 6u) return false;
    return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) && (ebx & avx2);
}
#endif

}  // namespace

const Inference* find_inference(const char* name) {
    if (std::strcmp(name, "portable") == 0) return &portable_inference;
#if defined(FOGTREE_AVX2)
    if (std::strcmp(name, "avx2") == 0 && avx2_present()) return &avx2_inference;
#endif
    return nullptr;
}

const Inference& inference() {
    static const Inference* const best =
        find_inference("avx2") ? find_inference("avx2") : find_inference("portable");
    return *best;
}

}  // namespace fogtree::nnue
