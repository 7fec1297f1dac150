// Hidden boards for samplers and for deep learning.
#pragma once

#include <memory>

#include "deep/game_engine.hpp"
#include "games/hidden_board/encoded_game.hpp"
#include "sampling/simulated_game.hpp"

namespace fogtree {

extern template class deep::GameEngine<hidden_board::EncodedGame>;

namespace hidden_board {

using DeepEngine = deep::GameEngine<EncodedGame>;

// The board as a game for the samplers.
std::unique_ptr<SimulatedGame> simulated_game(const HiddenBoard& board);

}  // namespace hidden_board

}  // namespace fogtree
