// The requirements of a native game whose tree is compiled: states that can be copied and stepped
// forward, and what each player notices of a step.
//
// A *token* is what a player notices of a step: of the own action and the change of the view. Two
// histories are equal to a player exactly if the tokens are equal, those that are 0 (nothing
// noticed) left out. The numbers of actions and outcomes, and the texts, are those of the game in
// Python.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <vector>

#include "tree/flat_tree.hpp"

namespace fogtree {

using Token = std::uint32_t;
using Tokens = std::vector<Token>;  // all that a player noticed, in order of time

template <class Game>
concept EnumerableGame =
    requires(const Game& game, typename Game::State state, const Tokens& tokens, int n) {
        { Game::kMostPlayers } -> std::convertible_to<int>;
        { game.players() } -> std::convertible_to<int>;
        { game.root() } -> std::same_as<typename Game::State>;
        { game.player(state) } -> std::convertible_to<int>;             // or kChance, kTerminal
        { game.actions(state) } -> std::convertible_to<int>;            // at a player's state
        { game.outcomes(state) } -> std::convertible_to<int>;           // at a state of chance
        { game.probability(state, n) } -> std::convertible_to<double>;  // of outcome n
        { game.payoff(state, n) } -> std::convertible_to<double>;       // at the end, for player n
        game.step(state, n);                                            // the mover's action n
        game.deal(state, n);                                            // outcome n of chance
        // The label of action or outcome n, and its text.
        { game.label(state, n) } -> std::convertible_to<int>;
        { game.label_text(n) } -> std::same_as<std::string>;
        // What player n notices of the step with this label between two states.
        { game.noticed(state, n, state, n) } -> std::same_as<Token>;
        // The name of the information set of player n after all that the player noticed.
        { game.infoset_name(n, tokens) } -> std::same_as<std::string>;
    };

}  // namespace fogtree
