// Definitions for game_engine.hpp.
#pragma once

#include "deep/game_engine.hpp"
#include "deep/session.hpp"
#include "deep/traversal.hpp"

namespace fogtree::deep {

// Runs all traversals of a task with networks on the processor, and returns their samples.
template <DeepGame Game>
CollectedSamples GameEngine<Game>::traverse(const Options& options, const Networks& networks,
                                            const Task& task, Interruption& interruption) const {
    return deep::traverse(game_, options, networks, task, interruption);
}

// Begins traversals whose networks run elsewhere: `groups` of `walks` walks each.
template <DeepGame Game>
std::unique_ptr<Session> GameEngine<Game>::begin(const Options& options, ValueForm form,
                                                 const Task& task, int groups, int walks,
                                                 const Finish& finish) const {
    check(shape(), options, form, task, finish);
    return std::make_unique<WalkSession<Game>>(game_, options, form, task, groups, walks, finish);
}

}  // namespace fogtree::deep
