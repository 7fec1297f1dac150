// A table of information sets whose keys are indices of one array.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/aligned_allocator.hpp"

namespace fogtree {

// A worker's own copy of the numbers of all information sets; `TableLayout` says what lies where.
template <class R>
struct DenseTable {
    using Real = R;
    std::vector<Real, AlignedAllocator<Real, true>> values;

    // The numbers of the information set with this key; its number of actions is not needed.
    Real* at(std::uint64_t place, int) { return values.data() + place; }
    // Does nothing: a walk's own memory is bounded by the tree, like the array itself.
    void count_outside(std::size_t) const {}
    // Prefetches the numbers of the information set with this key.
    void expect(std::uint64_t place) const { __builtin_prefetch(values.data() + place, 1); }
};

}  // namespace fogtree
