// Liar's dice as a game with exact best responses.
#pragma once

#include <memory>

#include "tree/response_game.hpp"

namespace fogtree::liars_dice {

// Throws std::invalid_argument for numbers of dice or sides with more than 24 bids.
std::unique_ptr<ResponseGame> response_game(int dice, int sides);

}  // namespace fogtree::liars_dice
