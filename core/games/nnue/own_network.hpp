// A network in this package's own format, from the arrays of its file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "games/nnue/network.hpp"

namespace fogtree::nnue {

// The arrays of a file, row by row; their sizes follow from the width, the king buckets and the
// stacks.
struct NetworkArrays {
    std::vector<std::uint8_t> king_bucket;
    std::vector<std::int16_t> bias, weight;
    std::vector<std::int32_t> psqt;
    std::vector<std::int8_t> first_weight, second_weight, third_weight;
    std::vector<std::int32_t> first_bias, second_bias, third_bias;
};

// Makes a network of its arrays; `unit` and `mirrored` as in Network and FeatureSet. Throws
// std::invalid_argument if sizes do not fit or numbers are too large.
Network own_network(std::string description, float unit, bool mirrored,
                    const NetworkArrays& arrays);

}  // namespace fogtree::nnue
