#include "cambia_engine.hpp"

#include "traversal.hpp"

namespace fogtree::deep {

Samples CambiaEngine::traverse(const Options& options, const Networks& networks,
                               const Task& task) const {
    return deep::traverse(game_, options, networks, task);
}

}  // namespace fogtree::deep
