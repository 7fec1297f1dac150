// The games with native simulators, by name.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "trainer.hpp"

namespace fogtree {

using Parameters = std::map<std::string, int>;

std::vector<std::string> simulated_games();

// Throws std::invalid_argument for a game or a parameter that is not known.
std::unique_ptr<Trainer<float>> simulated_trainer(const std::string& game,
                                                  const Parameters& parameters,
                                                  const SamplingPlan& plan);

// Histories of a game; counts no further than `most`.
std::uint64_t count_histories(const std::string& game, const Parameters& parameters,
                              std::uint64_t most);

// The key of every information set of a compiled tree of the same game. Throws
// std::invalid_argument where simulator and tree differ in any way.
std::vector<std::uint64_t> keys_of_tree(const std::string& game, const Parameters& parameters,
                                        const FlatTree& tree);

// A compiled tree, trained as if it could not be numbered; for tests of the growing table.
std::unique_ptr<Trainer<float>> tabled_trainer(const FlatTree& tree, const SamplingPlan& plan);

}  // namespace fogtree
