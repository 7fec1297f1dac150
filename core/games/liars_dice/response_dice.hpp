// Liar's dice as a game with exact best responses.
#pragma once

#include <memory>

#include "tree/response_game.hpp"

namespace fogtree::liars_dice {

// The game as one whose best responses are computed exactly. Throws std::invalid_argument for
// numbers of dice and sides with more than 24 bids.
std::unique_ptr<ResponseGame> response_game(int dice, int sides);

}  // namespace fogtree::liars_dice
