// Arrays that begin where a line of the processor's cache does. Where it is asked for, large ones
// lie in large pages, so that fewer of their addresses have to be translated; they take up more
// memory than they need then.
#pragma once

#include <cstddef>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace fogtree {

template <class T, bool LargePages = false>
struct LineAllocator {
    using value_type = T;
    template <class U>
    struct rebind {
        using other = LineAllocator<U, LargePages>;
    };

    LineAllocator() = default;
    template <class U>
    LineAllocator(const LineAllocator<U, LargePages>&) {}

    T* allocate(std::size_t n) {
        const std::size_t bytes = n * sizeof(T);
        void* start = ::operator new(bytes, alignment(bytes));
#if defined(__linux__) && defined(MADV_HUGEPAGE)
        if (LargePages && bytes >= kPage) madvise(start, bytes, MADV_HUGEPAGE);
#endif
        return static_cast<T*>(start);
    }
    void deallocate(T* start, std::size_t n) { ::operator delete(start, alignment(n * sizeof(T))); }
    bool operator==(const LineAllocator&) const { return true; }

private:
    static constexpr std::size_t kLine = 64, kPage = std::size_t{1} << 21;

    static std::align_val_t alignment(std::size_t bytes) {
        return std::align_val_t{LargePages && bytes >= kPage ? kPage : kLine};
    }
};

}  // namespace fogtree
