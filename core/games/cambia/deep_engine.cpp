#include "games/cambia/deep_engine.hpp"

#include "deep/game_engine_impl.hpp"

namespace fogtree {

template class deep::GameEngine<cambia::EncodedGame>;

}  // namespace fogtree
