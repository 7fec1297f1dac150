// An allocator whose arrays begin at a cache line and, on request, lie in huge pages if they are
// large. An array in huge pages takes up whole pages.
#pragma once

#include <cstddef>
#include <new>

#include "common/huge_pages.hpp"

namespace fogtree {

// A standard allocator whose arrays begin at a cache line or, if large and so requested, at a huge
// page.
template <class T, bool HugePages = false>
struct AlignedAllocator {
    using value_type = T;
    template <class U>
    struct rebind {
        using other = AlignedAllocator<U, HugePages>;
    };

    AlignedAllocator() = default;
    template <class U>
    AlignedAllocator(const AlignedAllocator<U, HugePages>&) {}

    // Aligned memory for n values, in huge pages if wanted and if it is large enough for one.
    T* allocate(std::size_t n) {
        const std::size_t bytes = n * sizeof(T);
        void* start = ::operator new(bytes, alignment(bytes));
        if (HugePages && bytes >= kHugePage) advise_huge_pages(start, bytes);
        return static_cast<T*>(start);
    }
    void deallocate(T* start, std::size_t n) { ::operator delete(start, alignment(n * sizeof(T))); }
    bool operator==(const AlignedAllocator&) const { return true; }

private:
    static constexpr std::size_t kCacheLine = 64;

    // The alignment of an array of this many bytes.
    static std::align_val_t alignment(std::size_t bytes) {
        return std::align_val_t{HugePages && bytes >= kHugePage ? kHugePage : kCacheLine};
    }
};

}  // namespace fogtree
