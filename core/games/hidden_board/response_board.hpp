// A hidden board as a game with exact best responses.
#pragma once

#include <memory>

#include "games/hidden_board/rules.hpp"
#include "tree/response_game.hpp"

namespace fogtree::hidden_board {

// The board as a game whose best responses are computed exactly. Throws std::invalid_argument for
// boards that are too large, or that end before they are full.
std::unique_ptr<ResponseGame> response_game(const HiddenBoard& board);

}  // namespace fogtree::hidden_board
