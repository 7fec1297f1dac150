// The training of growing_trainer.hpp for one game: its walks.
#pragma once

#include <memory>
#include <utility>

#include "sampling/growing_trainer.hpp"
#include "sampling/simulator.hpp"
#include "sampling/walk.hpp"

namespace fogtree {

// Trains one game by sampling, with a shared table that grows with the information sets met.
template <Simulator Game>
class TableTrainer final : public GrowingTrainer {
public:
    TableTrainer(std::shared_ptr<const Game> game, const SamplingPlan& plan)
        : GrowingTrainer(plan, game->players()), game_(std::move(game)) {}

private:
    std::uint64_t walk(View& view, CounterRandom& random, double weight,
                       const Stop& stop) override {
        [[maybe_unused]] const auto guard = guard_of(*game_);
        return walk_all(*game_, view, random, plan().scheme, plan().clip(), weight, plan().batch,
                        stop);
    }

    std::shared_ptr<const Game> game_;
};

}  // namespace fogtree
