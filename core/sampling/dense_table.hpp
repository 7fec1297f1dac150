// A table of information sets whose keys are indices of one array.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/aligned_allocator.hpp"

namespace fogtree {

// A worker's own copy; `Layout` says what lies where.
template <class R>
struct DenseTable {
    using Real = R;
    std::vector<Real, AlignedAllocator<Real, true>> values;

    Real* at(std::uint64_t place, int) { return values.data() + place; }
    // Does nothing: a walk's own memory is bounded by the tree, like the array itself.
    void count_outside(std::size_t) const {}
    // Prefetches an entry.
    void expect(std::uint64_t place) const { __builtin_prefetch(values.data() + place, 1); }
};

}  // namespace fogtree
