#include "simulated_games.hpp"

#include <cmath>
#include <stdexcept>
#include <unordered_map>

#include "enumeration.hpp"
#include "liars_dice.hpp"
#include "table_trainer.hpp"
#include "tree_simulator.hpp"

namespace fogtree {

namespace {

int take(Parameters& parameters, const std::string& name, int otherwise) {
    const auto found = parameters.find(name);
    if (found == parameters.end()) return otherwise;
    const int value = found->second;
    parameters.erase(found);
    return value;
}

// Calls `work` with the simulator of this name.
template <class Work>
auto with_game(const std::string& game, Parameters parameters, Work&& work) {
    if (game != "liars_dice") throw std::invalid_argument("no native simulator of " + game);
    const int dice = take(parameters, "dice", 1), sides = take(parameters, "sides", 6);
    if (!parameters.empty()) {
        throw std::invalid_argument(game + " has no parameter " + parameters.begin()->first);
    }
    return work(std::make_shared<const LiarsDice>(dice, sides));
}

// Every child of a position, as `visit(child, number, probability)`.
template <class Game, class Visit>
void each_child(const Game& game, const typename Game::State& state, Visit&& visit) {
    if (game.player(state) == kChance) {
        Enumeration source;
        int number = 0;
        do {
            auto child = state;
            game.sample(child, source);
            visit(child, number++, source.probability());
        } while (source.advance());
        return;
    }
    for (int a = 0; a < game.actions(state); ++a) {
        auto child = state;
        game.step(child, a);
        visit(child, a, 1.0);
    }
}

template <class Game>
std::uint64_t count(const Game& game, const typename Game::State& state, std::uint64_t most) {
    std::uint64_t sum = 1;
    if (game.player(state) == kTerminal) return sum;
    each_child(game, state, [&](const auto& child, int, double) {
        if (sum < most) sum += count(game, child, most - sum);
    });
    return sum;
}

template <class Game>
class Comparison {
public:
    Comparison(const Game& game, const FlatTree& tree)
        : game_(game), tree_(tree), children_(tree.nodes()), keys_(tree.infosets()) {
        for (std::size_t h = 1; h < tree.nodes(); ++h) {
            children_[static_cast<std::size_t>(tree.parent[h])].push_back(h);
        }
    }

    std::vector<std::uint64_t> keys() {
        compare(game_.root(), 0);
        return keys_;
    }

private:
    static void require(bool same, const char* what) {
        if (!same) throw std::invalid_argument(std::string("simulator and tree differ in ") + what);
    }

    void compare(const typename Game::State& state, std::size_t h) {
        const int player = game_.player(state);
        require(player == tree_.player[h], "who moves");
        const auto i = static_cast<std::size_t>(tree_.index[h]);
        if (player == kTerminal) {
            const auto width = static_cast<std::size_t>(tree_.players);
            for (std::size_t p = 0; p < width; ++p) {
                require(game_.payoff(state, static_cast<int>(p)) == tree_.payoffs[i * width + p],
                        "payoffs");
            }
            return;
        }
        if (player != kChance) {
            require(game_.actions(state) == tree_.infoset_actions[i], "actions");
            const std::uint64_t key = game_.key(state);
            const auto [known, made] = infoset_.emplace(key, i);
            require(known->second == i && (made ? keys_[i] == 0 : keys_[i] == key),
                    "information sets");
            keys_[i] = key;
        }
        each_child(game_, state, [&](const auto& child, int number, double probability) {
            const auto a = static_cast<std::size_t>(number);
            require(a < children_[h].size(), "children");
            const std::size_t next = children_[h][a];
            require(std::abs(tree_.chance[next] - probability) < 1e-12, "probabilities");
            compare(child, next);
        });
    }

    const Game& game_;
    const FlatTree& tree_;
    std::vector<std::vector<std::size_t>> children_;
    std::vector<std::uint64_t> keys_;
    std::unordered_map<std::uint64_t, std::size_t> infoset_;
};

}  // namespace

std::vector<std::string> simulated_games() {
    return {"liars_dice"};
}

std::unique_ptr<Trainer<float>> simulated_trainer(const std::string& game,
                                                  const Parameters& parameters,
                                                  const SamplingPlan& plan) {
    return with_game(game, parameters, [&]<class Game>(std::shared_ptr<const Game> simulator) {
        return std::unique_ptr<Trainer<float>>(
            std::make_unique<TableTrainer<Game, float>>(std::move(simulator), plan));
    });
}

std::uint64_t count_histories(const std::string& game, const Parameters& parameters,
                              std::uint64_t most) {
    return with_game(game, parameters, [&](const auto& simulator) {
        return count(*simulator, simulator->root(), most);
    });
}

std::vector<std::uint64_t> keys_of_tree(const std::string& game, const Parameters& parameters,
                                        const FlatTree& tree) {
    return with_game(game, parameters, [&]<class Game>(std::shared_ptr<const Game> simulator) {
        return Comparison<Game>(*simulator, tree).keys();
    });
}

std::unique_ptr<Trainer<float>> tabled_trainer(const FlatTree& tree, const SamplingPlan& plan) {
    using Game = TreeSimulator<float>;
    return std::make_unique<TableTrainer<Game, float>>(std::make_shared<const Game>(tree), plan);
}

}  // namespace fogtree
