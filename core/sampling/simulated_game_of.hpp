// A simulated game made from a native simulator.
#pragma once

#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sampling/every_child.hpp"
#include "sampling/simulated_game.hpp"
#include "sampling/simulator.hpp"
#include "sampling/table_trainer.hpp"
#include "sampling/tree_comparison.hpp"

namespace fogtree {

// A simulated game with the rules of a native simulator. `exact`: the simulator's keys tell all
// information sets apart.
template <Simulator Game>
class SimulatedGameOf final : public SimulatedGame {
public:
    SimulatedGameOf(std::shared_ptr<const Game> game, bool exact)
        : game_(std::move(game)), exact_(exact) {}

    std::unique_ptr<Trainer<double>> trainer(const SamplingPlan& plan) const override {
        return std::make_unique<TableTrainer<Game>>(game_, plan);
    }

    // The number of histories, counted up to `most`, by a walk over the game.
    std::uint64_t histories(std::uint64_t most) const override {
        [[maybe_unused]] const auto guard = guard_of(*game_);
        std::vector<typename Game::State> open{game_->root()};
        std::uint64_t sum = 0;
        while (!open.empty() && sum < most) {
            const auto state = open.back();
            open.pop_back();
            ++sum;
            if (game_->player(state) == kTerminal) continue;
            every_child(*game_, state,
                        [&](const auto& child, int, double) { open.push_back(child); });
        }
        return sum;
    }

    // The key of every information set of a tree, which is compared with the simulator.
    std::vector<std::uint64_t> keys_of(const FlatTree& tree) const override {
        return TreeComparison<Game>(*game_, tree, exact_).keys();
    }

    // The key of the mover's information set after these steps, each the index of a child.
    std::uint64_t key_after(const std::vector<int>& steps) const override {
        auto state = game_->root();
        for (const int step : steps) {
            bool found = false;
            auto next = state;
            if (game_->player(state) != kTerminal) {
                every_child(*game_, state, [&](const auto& child, int number, double) {
                    if (number != step) return;
                    found = true;
                    next = child;
                });
            }
            if (!found) throw std::invalid_argument("no such step");
            state = next;
        }
        if (game_->player(state) < 0) throw std::invalid_argument("nobody decides there");
        return game_->key(state);
    }

private:
    std::shared_ptr<const Game> game_;
    bool exact_;
};

}  // namespace fogtree
