// Compares a simulator with a compiled tree of the same game, history by history.
#pragma once

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "sampling/every_child.hpp"

namespace fogtree {

// The comparison of one simulator with one tree.
template <class Game>
class TreeComparison {
public:
    // `exact`: every information set has a key of its own.
    TreeComparison(const Game& game, const FlatTree& tree, bool exact)
        : game_(game),
          tree_(tree),
          exact_(exact),
          children_(tree.nodes()),
          met_(tree.infosets()),
          keys_(tree.infosets()) {
        require(game.players() == tree.players, "players");
        for (std::size_t h = 1; h < tree.nodes(); ++h) {
            children_[static_cast<std::size_t>(tree.parent[h])].push_back(h);
        }
    }

    // Compares the whole game, and returns the key of every information set of the tree.
    std::vector<std::uint64_t> keys() {
        compare(game_.root(), 0);
        return keys_;
    }

private:
    // Throws std::invalid_argument unless `same`; `what` names what is compared.
    static void require(bool same, const char* what) {
        if (!same) throw std::invalid_argument(std::string("simulator and tree differ in ") + what);
    }

    // Compares the simulator's state with node h of the tree, and everything below both.
    void compare(const typename Game::State& state, std::size_t h) {
        const int player = game_.player(state);
        require(player == tree_.player[h], "who moves");
        const auto i = static_cast<std::size_t>(tree_.index[h]);
        if (player == kTerminal) return compare_payoffs(state, i);
        if (player != kChance) compare_infoset(state, i);
        std::size_t count = 0;
        every_child(game_, state, [&](const auto& child, int number, double probability) {
            require(++count <= children_[h].size(), "children");
            const std::size_t next = children_[h][static_cast<std::size_t>(number)];
            require(std::abs(tree_.chance[next] - probability) < 1e-12, "probabilities");
            compare(child, next);
        });
        require(count == children_[h].size(), "children");
    }

    // Compares the payoffs of all players at the end with row i of the tree's payoffs.
    void compare_payoffs(const typename Game::State& state, std::size_t i) {
        const auto width = static_cast<std::size_t>(tree_.players);
        for (std::size_t p = 0; p < width; ++p) {
            require(game_.payoff(state, static_cast<int>(p)) == tree_.payoffs[i * width + p],
                    "payoffs");
        }
    }

    // Compares a decision with information set i of the tree, and stores the key of i.
    void compare_infoset(const typename Game::State& state, std::size_t i) {
        require(game_.actions(state) == tree_.infoset_actions[i], "actions");
        const std::uint64_t key = game_.key(state);
        if (exact_) require(infoset_.emplace(key, i).first->second == i, "information sets");
        require(!met_[i] || keys_[i] == key, "information sets");
        met_[i] = true;
        keys_[i] = key;
    }

    const Game& game_;
    const FlatTree& tree_;
    bool exact_;
    std::vector<std::vector<std::size_t>> children_;
    std::vector<bool> met_;
    std::vector<std::uint64_t> keys_;
    std::unordered_map<std::uint64_t, std::size_t> infoset_;
};

}  // namespace fogtree
