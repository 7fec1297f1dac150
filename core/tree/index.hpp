// The type of numbers of nodes, sequences and information sets, and their use as array indices.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fogtree {

using Index = std::int32_t;

// A number, at least 0, as the index of an array.
inline std::size_t at(std::int64_t i) {
    return static_cast<std::size_t>(i);
}

}  // namespace fogtree
