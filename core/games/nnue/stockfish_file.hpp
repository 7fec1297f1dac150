// Reading the network of Stockfish 15.1: 32 king buckets mirrored to four files, 1024 values, eight
// stacks. Run as it is here, it gives what Stockfish's own code gives, to the last bit.
#pragma once

#include <string>

#include "games/nnue/network.hpp"

namespace fogtree::nnue {

// Reads the file of such a network; throws std::invalid_argument if it is none, is cut off or is
// too long.
Network read_stockfish_file(const std::string& path);

}  // namespace fogtree::nnue
