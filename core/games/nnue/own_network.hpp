// A network in this package's own format, from the arrays of its file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "games/nnue/network.hpp"

namespace fogtree::nnue {

// Row by row, as in the file; their sizes follow from the width, the king buckets and the stacks.
struct NetworkArrays {
    std::vector<std::uint8_t> king_bucket;
    std::vector<std::int16_t> bias, weight;
    std::vector<std::int32_t> psqt;
    std::vector<std::int8_t> first_weight, second_weight, third_weight;
    std::vector<std::int32_t> first_bias, second_bias, third_bias;
};

// Throws std::invalid_argument if the sizes do not fit.
Network own_network(std::string description, float unit, bool mirrored,
                    const NetworkArrays& arrays);

}  // namespace fogtree::nnue
