// Traversals of liar's dice for deep learning.
#pragma once

#include "deep/game_engine.hpp"
#include "games/liars_dice/encoded_game.hpp"

namespace fogtree {

extern template class deep::GameEngine<liars_dice::EncodedGame>;

namespace liars_dice {
using DeepEngine = deep::GameEngine<EncodedGame>;
}

}  // namespace fogtree
