#include "cambia_engine.hpp"

#include "session.hpp"
#include "traversal.hpp"

namespace fogtree::deep {

Gathered CambiaEngine::traverse(const Options& options, const Networks& networks,
                                const Task& task) const {
    return deep::traverse(game_, options, networks, task);
}

std::unique_ptr<Session> CambiaEngine::begin(const Options& options, ValueForm form,
                                             const Task& task, int groups, int lanes,
                                             const Finish& finish) const {
    check(shape(), options, form, task, finish);
    return std::make_unique<LaneSession<CambiaGame>>(game_, options, form, task, groups, lanes,
                                                     finish);
}

}  // namespace fogtree::deep
