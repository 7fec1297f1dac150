#include "games/cambia/simulated_game.hpp"

#include "games/cambia/simulator.hpp"
#include "sampling/simulated_game_of.hpp"

namespace fogtree::cambia {

// The game for the samplers. Keys tell all information sets apart only if players remember
// everything, which the second argument of SimulatedGameOf says.
std::unique_ptr<SimulatedGame> simulated_game(const Rules& rules, Memory memory) {
    return std::make_unique<SimulatedGameOf<CambiaSimulator>>(
        std::make_shared<const CambiaSimulator>(rules, memory), memory == Memory::everything);
}

}  // namespace fogtree::cambia
