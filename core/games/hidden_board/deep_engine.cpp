#include "deep/game_engine_impl.hpp"
#include "games/hidden_board/engines.hpp"

namespace fogtree {

template class deep::GameEngine<hidden_board::EncodedGame>;

}  // namespace fogtree
