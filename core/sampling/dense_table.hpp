// A table whose keys are places in one array.
#pragma once

#include <cstdint>
#include <vector>

namespace fogtree {

// A worker's own copy; `Layout` says what lies where.
template <class R>
struct DenseTable {
    using Real = R;
    std::vector<Real> values;

    Real* at(std::uint64_t place, int) { return values.data() + place; }
};

}  // namespace fogtree
