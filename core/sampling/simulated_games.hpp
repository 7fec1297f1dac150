// The games with native simulators. All throw std::invalid_argument for what they cannot play.
#pragma once

#include <memory>
#include <vector>

#include "cambia_keys.hpp"
#include "simulated_game.hpp"

namespace fogtree {

std::unique_ptr<SimulatedGame> simulated_liars_dice(int dice, int sides);
std::unique_ptr<SimulatedGame> simulated_cambia(const cambia::Rules& rules, CambiaMemory memory);

// A compiled tree, trained as if it could not be numbered; for tests of the growing table.
std::unique_ptr<Trainer<double>> tabled_trainer(const FlatTree& tree, const SamplingPlan& plan);

}  // namespace fogtree
