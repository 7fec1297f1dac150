// The instruction sets of the processor this runs on, read with the cpuid instruction.
//
// The compilers' own __builtin_cpu_supports needs a runtime library that does not link everywhere.
#pragma once

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace fogtree {

// The instruction sets that this processor has.
struct CpuFeatures {
    bool bmi2 = false;
    bool pext = false;       // BMI1, BMI2 and POPCNT
    bool fast_pext = false;  // pext, but not the slow microcode of AMD before family 25 (Zen 3)
    bool avx2 = false;  // with fused multiply-add, and an operating system that saves the registers
    bool avx512 = false;  // F, DQ, BW and VL
    bool avx512_vnni = false;

    // The features of this machine's processor, which are read on the first call.
    static const CpuFeatures& here() {
        static const CpuFeatures features = detect();
        return features;
    }

private:
    // Reads the features from the processor. The numbers of leaves and bits are those of Intel's
    // and AMD's manuals; `saved` (register XCR0) has the vector registers that the operating system
    // saves: bits 1 and 2 those of AVX, bits 5 to 7 those of AVX-512.
    static CpuFeatures detect() {
        CpuFeatures out;
#if defined(__x86_64__)
        unsigned a = 0, b = 0, c = 0, d = 0;
        if (!__get_cpuid(0, &a, &b, &c, &d)) return out;
        const bool amd = b == signature_AMD_ebx;
        if (!__get_cpuid(1, &a, &b, &c, &d)) return out;
        const unsigned base_family = a >> 8 & 15;
        const unsigned family = base_family == 15 ? base_family + (a >> 20 & 255) : base_family;
        const bool fma = c >> 12 & 1, popcnt = c >> 23 & 1, osxsave = c >> 27 & 1;
        unsigned saved = 0, high = 0;
        if (osxsave) __asm__("xgetbv" : "=a"(saved), "=d"(high) : "c"(0));
        if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return out;
        const auto bit = [&](int n) { return (b >> n & 1) != 0; };
        out.bmi2 = bit(8);
        out.pext = popcnt && bit(3) && bit(8);
        out.fast_pext = out.pext && (!amd || family >= 25);
        out.avx2 = bit(5) && fma && (saved & 0x6) == 0x6;
        out.avx512 = out.avx2 && bit(16) && bit(17) && bit(30) && bit(31) && (saved & 0xe6) == 0xe6;
        out.avx512_vnni = out.avx512 && (c >> 11 & 1);
#endif
        return out;
    }
};

}  // namespace fogtree
