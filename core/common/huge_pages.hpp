// Huge pages of memory: the processor translates fewer addresses of a large array that lies in
// them.
#pragma once

#include <cstddef>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace fogtree {

inline constexpr std::size_t kHugePage = std::size_t{1} << 21;  // 2 MiB

// Asks the system to use huge pages for a range that is aligned to one. The system may decline.
inline void advise_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    madvise(memory, bytes, MADV_HUGEPAGE);
#endif
}

}  // namespace fogtree
