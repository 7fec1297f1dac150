#include "simulated_games.hpp"

#include <stdexcept>
#include <utility>

#include "cambia_simulator.hpp"
#include "liars_dice.hpp"
#include "table_trainer.hpp"
#include "tree_comparison.hpp"
#include "tree_simulator.hpp"

namespace fogtree {

namespace {

template <Simulator Game>
class Simulated final : public SimulatedGame {
public:
    Simulated(std::shared_ptr<const Game> game, bool exact)
        : game_(std::move(game)), exact_(exact) {}

    std::unique_ptr<Trainer<double>> trainer(const SamplingPlan& plan) const override {
        return std::make_unique<TableTrainer<Game, double>>(game_, plan);
    }

    std::uint64_t histories(std::uint64_t most) const override {
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

    std::vector<std::uint64_t> keys_of(const FlatTree& tree) const override {
        return TreeComparison<Game>(*game_, tree, exact_).keys();
    }

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

}  // namespace

std::unique_ptr<SimulatedGame> simulated_liars_dice(int dice, int sides) {
    return std::make_unique<Simulated<LiarsDice>>(std::make_shared<const LiarsDice>(dice, sides),
                                                  true);
}

std::unique_ptr<SimulatedGame> simulated_cambia(const cambia::Rules& rules, CambiaMemory memory) {
    return std::make_unique<Simulated<CambiaSimulator>>(
        std::make_shared<const CambiaSimulator>(rules, memory), memory == CambiaMemory::everything);
}

std::unique_ptr<Trainer<double>> tabled_trainer(const FlatTree& tree, const SamplingPlan& plan) {
    using Game = TreeSimulator<double>;
    const std::vector<std::uint32_t> slots(tree.first_slot.begin(), tree.first_slot.end());
    return std::make_unique<TableTrainer<Game, double>>(std::make_shared<const Game>(tree, slots),
                                                        plan);
}

}  // namespace fogtree
