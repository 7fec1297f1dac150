// Cambia as a simulated game for the samplers.
#pragma once

#include <memory>

#include "games/cambia/keys.hpp"
#include "sampling/simulated_game.hpp"

namespace fogtree::cambia {

// The game by these rules for the samplers, with keys of what players remember. Throws
// std::invalid_argument if the simulator cannot play by these rules.
std::unique_ptr<SimulatedGame> simulated_game(const Rules& rules, Memory memory);

}  // namespace fogtree::cambia
