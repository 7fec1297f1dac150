#include "kernel.hpp"

#include <atomic>
#include <cstring>

#include "attacks.hpp"

#if defined(FOGTREE_PEXT)
#include <cpuid.h>
#endif

namespace fogtree::fogchess {

extern const Kernel magic_kernel;
#if defined(FOGTREE_PEXT)
extern const Kernel pext_kernel;
#endif

namespace {

#if defined(FOGTREE_PEXT)
constexpr unsigned popcnt_bit = 1u << 23;         // leaf 1, ecx
constexpr unsigned bmi_bits = 1u << 3 | 1u << 8;  // leaf 7, ebx: BMI1 and BMI2

// BMI2 is there, and PEXT is not the slow microcode of AMD before family 25 (Zen 3).
bool pext_present(bool& fast) {
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    fast = false;
    if (!__get_cpuid(0, &eax, &ebx, &ecx, &edx)) return false;
    const bool amd = ebx == signature_AMD_ebx;
    if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !(ecx & popcnt_bit)) return false;
    const unsigned base = eax >> 8 & 15;
    const unsigned family = base == 15 ? base + (eax >> 20 & 255) : base;
    if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) || (ebx & bmi_bits) != bmi_bits)
        return false;
    fast = !amd || family >= 25;
    return true;
}
#endif

const Kernel* find(const char* name) {
    if (std::strcmp(name, "magic") == 0) {
        fill_magic_sliders();
        return &magic_kernel;
    }
#if defined(FOGTREE_PEXT)
    bool fast = false;
    if (std::strcmp(name, "pext") == 0 && pext_present(fast)) {
        fill_pext_sliders();
        return &pext_kernel;
    }
#endif
    return nullptr;
}

const Kernel* best() {
#if defined(FOGTREE_PEXT)
    bool fast = false;
    if (pext_present(fast) && fast) return find("pext");
#endif
    return find("magic");
}

std::atomic<const Kernel*>& chosen() {
    static std::atomic<const Kernel*> current{best()};
    return current;
}

}  // namespace

const Kernel& kernel() {
    return *chosen().load(std::memory_order_relaxed);
}

bool kernel_available(const char* name) {
    return find(name) != nullptr;
}

bool choose_kernel(const char* name) {
    const Kernel* wanted = find(name);
    if (wanted) chosen().store(wanted);
    return wanted != nullptr;
}

}  // namespace fogtree::fogchess
