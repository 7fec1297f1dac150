// A table whose keys are slots: one array.
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

    Real* at(std::uint64_t slot, int) {
        return values.data() + slot * static_cast<std::uint64_t>(sections);
    }
};

}  // namespace fogtree
