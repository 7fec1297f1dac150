#include "games/liars_dice/simulated_game.hpp"

#include "games/liars_dice/rules.hpp"
#include "sampling/simulated_game_of.hpp"

namespace fogtree::liars_dice {

// The game for the samplers. `true`: its keys tell all information sets apart.
std::unique_ptr<SimulatedGame> simulated_game(int dice, int sides) {
    return std::make_unique<SimulatedGameOf<LiarsDice>>(
        std::make_shared<const LiarsDice>(dice, sides), true);
}

}  // namespace fogtree::liars_dice
