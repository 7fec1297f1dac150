// A table whose keys are places in one array.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace fogtree {

// Numbers that begin where a line of the processor's cache does.
template <class T>
struct LineAllocator {
    using value_type = T;
    static constexpr std::align_val_t kLine{64};

    LineAllocator() = default;
    template <class U>
    LineAllocator(const LineAllocator<U>&) {}

    T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), kLine)); }
    void deallocate(T* start, std::size_t) { ::operator delete(start, kLine); }
    bool operator==(const LineAllocator&) const { return true; }
};

// A worker's own copy; `Layout` says what lies where.
template <class R>
struct DenseTable {
    using Real = R;
    std::vector<Real, LineAllocator<Real>> values;

    Real* at(std::uint64_t place, int) { return values.data() + place; }
    // Will be looked at soon.
    void expect(std::uint64_t place) const { __builtin_prefetch(values.data() + place, 1); }
};

}  // namespace fogtree
