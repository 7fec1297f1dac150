#include "games/liars_dice/deep_engine.hpp"

#include "deep/game_engine_impl.hpp"

namespace fogtree {

template class deep::GameEngine<liars_dice::EncodedGame>;

}  // namespace fogtree
