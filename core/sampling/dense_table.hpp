// A table whose keys are places in one array.
#pragma once

#include <cstdint>
#include <vector>

namespace fogtree {

// A worker's own copy: per information set its regrets, then what was added to the average, then
// what the scheme needs besides.
template <class R>
struct DenseTable {
    using Real = R;
    std::vector<Real> values;
    int sections = 2;

    Real* at(std::uint64_t place, int) { return values.data() + place; }
};

}  // namespace fogtree
