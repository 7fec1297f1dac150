#include "games/hidden_board/engines.hpp"
#include "sampling/simulated_game_of.hpp"

namespace fogtree::hidden_board {

// The board as a game for the samplers. `true`: its keys tell all information sets apart.
std::unique_ptr<SimulatedGame> simulated_game(const HiddenBoard& board) {
    return std::make_unique<SimulatedGameOf<HiddenBoard>>(
        std::make_shared<const HiddenBoard>(board), true);
}

}  // namespace fogtree::hidden_board
