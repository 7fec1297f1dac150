#include "games/fog_chess/kernel.hpp"

#include <atomic>
#include <cstring>

#include "common/cpu_features.hpp"
#include "games/fog_chess/attacks.hpp"

namespace fogtree::fog_chess {

extern const Kernel magic_kernel;
#if defined(FOGTREE_PEXT)
extern const Kernel pext_kernel;
#endif

namespace {

// The kernel of this name; null if this processor or build does not have it.
const Kernel* find(const char* name) {
    if (std::strcmp(name, "magic") == 0) {
        fill_magic_sliders();
        return &magic_kernel;
    }
#if defined(FOGTREE_PEXT)
    if (std::strcmp(name, "pext") == 0 && CpuFeatures::here().pext) {
        fill_pext_sliders();
        return &pext_kernel;
    }
#endif
    return nullptr;
}

// The fastest kernel of this processor: PEXT is not used where it is slow.
const Kernel* best() {
#if defined(FOGTREE_PEXT)
    if (CpuFeatures::here().fast_pext) return find("pext");
#endif
    return find("magic");
}

// The kernel in use: a reference, so that choose_kernel() can replace it.
std::atomic<const Kernel*>& chosen() {
    static std::atomic<const Kernel*> current{best()};
    return current;
}

}  // namespace

// The kernel in use.
const Kernel& kernel() {
    return *chosen().load(std::memory_order_relaxed);
}

// Whether this processor and build have the kernel of this name.
bool kernel_available(const char* name) {
    return find(name) != nullptr;
}

// Uses the kernel of this name from now on; false if there is none.
bool choose_kernel(const char* name) {
    const Kernel* wanted = find(name);
    if (wanted) chosen().store(wanted);
    return wanted != nullptr;
}

}  // namespace fogtree::fog_chess
