// The weights of a Stockfish 15.1 evaluation network, as its file holds them.
//
// Nasu, "Efficiently updatable neural-network-based evaluation functions for computer shogi"
// (2018); the architecture is Stockfish's: king-relative piece squares mirrored to four files
// (22528 features) to 1024 values for either side, multiplied in pairs, then one of eight small
// stacks by the number of pieces; a second table of piece squares is added to its output.
// Deviations: none; the results equal Stockfish's to the last bit.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fogtree::nnue {

inline constexpr int features = 22528;
inline constexpr int width = 1024;
inline constexpr int buckets = 8;
inline constexpr int first_outputs = 16;  // the last of them bypasses the other layers
inline constexpr int second_inputs = 30;
inline constexpr int second_outputs = 32;
inline constexpr int chunk = 4;  // inputs of the first layer that are taken together

struct Stack {
    std::int32_t first_bias[first_outputs];
    // [input / 4][output][input % 4], so that four inputs meet all outputs at once.
    alignas(64) std::int8_t first_weight[width / chunk][first_outputs][chunk];
    std::int32_t second_bias[second_outputs];
    alignas(64) std::int16_t second_weight[second_inputs][second_outputs];
    std::int32_t third_bias;
    alignas(64) std::int16_t third_weight[second_outputs];
};

struct alignas(64) Column {
    std::int16_t value[width];
};

struct Network {
    std::string description;
    Column bias;
    std::vector<Column> weight;      // by feature
    std::vector<std::int32_t> psqt;  // by feature and bucket
    std::vector<Stack> stacks;
};

// Throws std::invalid_argument if the file is not such a network or is damaged.
Network read_network(const std::string& path);

}  // namespace fogtree::nnue
