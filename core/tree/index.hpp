// Numbers of nodes, sequences and information sets, and what they are in arrays.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fogtree {

using Index = std::int32_t;

inline std::size_t at(std::int64_t i) {
    return static_cast<std::size_t>(i);
}

}  // namespace fogtree
