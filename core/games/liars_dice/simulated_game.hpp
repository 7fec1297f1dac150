// Liar's dice as a simulated game for the samplers.
#pragma once

#include <memory>

#include "sampling/simulated_game.hpp"

namespace fogtree::liars_dice {

// The game for the samplers. Throws std::invalid_argument for numbers of dice or sides that the
// simulator cannot play.
std::unique_ptr<SimulatedGame> simulated_game(int dice, int sides);

}  // namespace fogtree::liars_dice
