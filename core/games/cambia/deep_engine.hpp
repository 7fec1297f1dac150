// Traversals of Cambia for deep learning.
#pragma once

#include "deep/game_engine.hpp"
#include "games/cambia/encoded_game.hpp"

namespace fogtree {

extern template class deep::GameEngine<cambia::EncodedGame>;

namespace cambia {
using DeepEngine = deep::GameEngine<EncodedGame>;
}

}  // namespace fogtree
