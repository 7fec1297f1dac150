// What the processor we run on can do, asked of the processor itself.
//
// The compilers' own __builtin_cpu_supports needs a runtime library that does not link everywhere.
#pragma once

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace fogtree {

struct Cpu {
    bool bmi2 = false;
    bool avx2 = false;  // with fused multiply-add, and an operating system that saves the registers
    bool avx512 = false;  // F, DQ, BW and VL
    bool avx512_vnni = false;

    static const Cpu& here() {
        static const Cpu cpu = ask();
        return cpu;
    }

private:
    static Cpu ask() {
        Cpu cpu;
#if defined(__x86_64__)
        unsigned a = 0, b = 0, c = 0, d = 0;
        if (!__get_cpuid(1, &a, &b, &c, &d)) return cpu;
        const bool fma = c >> 12 & 1, osxsave = c >> 27 & 1;
        unsigned saved = 0, high = 0;
        if (osxsave) __asm__("xgetbv" : "=a"(saved), "=d"(high) : "c"(0));
        if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return cpu;
        const auto bit = [&](int n) { return (b >> n & 1) != 0; };
        cpu.bmi2 = bit(8);
        cpu.avx2 = bit(5) && fma && (saved & 0x6) == 0x6;
        cpu.avx512 = cpu.avx2 && bit(16) && bit(17) && bit(30) && bit(31) && (saved & 0xe6) == 0xe6;
        cpu.avx512_vnni = cpu.avx512 && (c >> 11 & 1);
#endif
        return cpu;
    }
};

}  // namespace fogtree
