// Every child of a simulator's position, in the order of a compiled tree.
#pragma once

#include <map>
#include <utility>

#include "sampling/enumeration.hpp"
#include "tree/flat_tree.hpp"

namespace fogtree {

// Calls `visit(child, number, probability)` for every child of a state; after a decision the
// probability is 1. Where a simulator has `outcome(state)`, outcomes of chance with the same number
// are one child.
template <class Game, class Visit>
void every_child(const Game& game, const typename Game::State& state, Visit&& visit) {
    if (game.player(state) != kChance) {
        for (int a = 0; a < game.actions(state); ++a) {
            auto child = state;
            game.step(child, a);
            visit(child, a, 1.0);
        }
        return;
    }
    std::map<int, std::pair<typename Game::State, double>> children;
    Enumeration source;
    do {
        auto child = state;
        game.sample(child, source);
        int number = static_cast<int>(children.size());
        if constexpr (requires { game.outcome(child); }) number = game.outcome(child);
        children.try_emplace(number, child, 0.0).first->second.second += source.probability();
    } while (source.advance());
    int number = 0;
    for (const auto& [outcome, child] : children) visit(child.first, number++, child.second);
}

}  // namespace fogtree
