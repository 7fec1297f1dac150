#include "games/cambia/match.hpp"

#include <atomic>
#include <map>
#include <stdexcept>

#include "common/thread_team.hpp"
#include "deep/policy.hpp"

namespace fogtree::cambia {

namespace {

constexpr int kTablesPerThread = 256;

void check(const EncodedGame& game, const Contestant& contestant) {
    if (contestant.strategies.size() != contestant.weights.size()) {
        throw std::invalid_argument("one weight for every strategy");
    }
    for (const double weight : contestant.weights) {
        if (!(weight > 0)) throw std::invalid_argument("weights are positive");
    }
    const auto players = static_cast<std::size_t>(game.shape().players);
    for (const auto& networks : contestant.strategies) {
        if (networks.size() != 1 && networks.size() != players) {
            throw std::invalid_argument("one network for each seat, or one for all");
        }
        for (const auto& network : networks) {
            if (network->inputs() != game.shape().features ||
                network->outputs() != game.shape().actions) {
                throw std::invalid_argument("a network that does not fit the game");
            }
        }
    }
}

// A game in progress.
struct Table {
    EncodedGame::State state;
    CounterRandom chance;
    CounterRandom choices;
    int seat;         // of the first contestant
    int strategy[2];  // which of each contestant's plays
    int count;
    std::vector<deep::Action> legal;
};

// Questions to one network.
struct Waiting {
    deep::SparseRows rows;
    deep::Wanted wanted;
    std::vector<Table*> tables;
};

class MatchWorker {
public:
    MatchWorker(const EncodedGame& game, const Contestant& first, const Contestant& second,
                std::int64_t games, std::uint64_t seed, std::atomic<std::int64_t>& next)
        : game_(game), contestants_{&first, &second}, games_(games), seed_(seed), next_(next) {
        code_.resize(static_cast<std::size_t>(game.shape().code_bytes));
        mix_.resize(static_cast<std::size_t>(game.shape().most_actions));
        for (int t = 0; t < kTablesPerThread; ++t) {
            tables_.push_back({game.root(),
                               CounterRandom(0, 0, 0),
                               CounterRandom(0, 0, 0),
                               0,
                               {0, 0},
                               0,
                               std::vector<deep::Action>(mix_.size())});
        }
    }

    void run() {
        std::vector<Table*> active;
        for (Table& table : tables_) {
            if (begin(table)) active.push_back(&table);
        }
        while (!active.empty()) {
            for (Table* table : active) ask(*table);
            active.clear();
            for (auto& [network, waiting] : waiting_) answer(*network, waiting, active);
        }
    }

    MatchScore score;

private:
    bool begin(Table& table) {
        for (;;) {
            const std::int64_t number = next_.fetch_add(1, std::memory_order_relaxed);
            if (number >= games_) return false;
            const auto players = static_cast<std::int64_t>(game_.shape().players);
            const auto deal = static_cast<std::uint64_t>(number / players);
            table.state = game_.root();
            table.chance = CounterRandom(seed_, deal, 0);
            table.choices =
                CounterRandom(seed_, deal, static_cast<std::uint64_t>(1 + number % players));
            table.seat = static_cast<int>(number % players);
            for (int c = 0; c < 2; ++c) {
                const auto& weights = contestants_[c]->weights;
                double total = 0;
                for (const double weight : weights) total += weight;
                table.strategy[c] =
                    weights.empty() ? 0
                                    : table.choices.pick(weights.data(),
                                                         static_cast<int>(weights.size()), total);
            }
            if (advance(table)) return true;
        }
    }

    int contestant(const Table& table) const {
        return table.state.position.actor == table.seat ? 0 : 1;
    }

    // To the next decision of a network; false at the end of the game, which is counted.
    bool advance(Table& table) {
        for (;;) {
            const int player = game_.player(table.state);
            if (player == kChance) {
                game_.sample(table.state, table.chance);
            } else if (player == kTerminal) {
                count_game(table);
                return false;
            } else {
                ++score.decisions;
                const Contestant& mover = *contestants_[contestant(table)];
                if (!mover.strategies.empty()) {
                    table.count = game_.legal(table.state, table.legal.data());
                    if (table.count > 1) return true;
                    game_.step(table.state, 0);
                } else {
                    game_.step(table.state, choose(mover.script, game_.rules(),
                                                   table.state.position, table.choices));
                }
            }
        }
    }

    void count_game(const Table& table) {
        const float gain = game_.payoff(table.state, table.seat);
        ++(gain > 0 ? score.wins : gain < 0 ? score.losses : score.draws);
        score.gains += static_cast<double>(gain);
        score.turns += table.state.position.turn;
    }

    void ask(Table& table) {
        const int mover = contestant(table);
        const auto& networks =
            contestants_[mover]->strategies[static_cast<std::size_t>(table.strategy[mover])];
        const std::size_t seat = networks.size() == 1 ? 0 : table.state.position.actor;
        Waiting& waiting = waiting_[networks[seat].get()];
        game_.encode(table.state, code_.data());
        game_.expand(code_.data(), waiting.rows);
        waiting.wanted.action.insert(waiting.wanted.action.end(), table.legal.begin(),
                                     table.legal.begin() + table.count);
        waiting.wanted.end_row();
        waiting.tables.push_back(&table);
    }

    void answer(const deep::Network& network, Waiting& waiting, std::vector<Table*>& active) {
        answers_.resize(waiting.wanted.action.size());
        network.run(waiting.rows, waiting.wanted, answers_.data(), scratch_);
        for (std::size_t i = 0; i < waiting.tables.size(); ++i) {
            Table& table = *waiting.tables[i];
            const Contestant& mover = *contestants_[contestant(table)];
            deep::strategy_of(answers_.data() + waiting.wanted.first[i], table.count, mover.softmax,
                              mover.uniform_fallback, mix_.data());
            float total = 0;
            for (int a = 0; a < table.count; ++a) total += mix_[static_cast<std::size_t>(a)];
            game_.step(table.state, table.choices.pick(mix_.data(), table.count, total));
            if (advance(table) || begin(table)) active.push_back(&table);
        }
        waiting.rows.clear();
        waiting.wanted.clear();
        waiting.tables.clear();
    }

    const EncodedGame& game_;
    const Contestant* contestants_[2];
    std::int64_t games_;
    std::uint64_t seed_;
    std::atomic<std::int64_t>& next_;
    std::vector<Table> tables_;
    std::map<const deep::Network*, Waiting> waiting_;
    std::vector<std::uint8_t> code_;
    std::vector<float> mix_;
    std::vector<float> answers_;
    deep::Network::Scratch scratch_;
};

}  // namespace

MatchScore play_match(const EncodedGame& game, const Contestant& first, const Contestant& second,
                      std::int64_t games, std::uint64_t seed, int threads) {
    check(game, first);
    check(game, second);
    if (games < 0) throw std::invalid_argument("no such match");
    check_threads(threads);
    std::atomic<std::int64_t> next{0};
    std::vector<MatchWorker> workers;
    workers.reserve(static_cast<std::size_t>(threads));
    for (int t = 0; t < threads; ++t) workers.emplace_back(game, first, second, games, seed, next);
    run_on_threads(threads, [&](int t) { workers[static_cast<std::size_t>(t)].run(); });
    MatchScore sum;
    for (const MatchWorker& worker : workers) {
        sum.wins += worker.score.wins;
        sum.draws += worker.score.draws;
        sum.losses += worker.score.losses;
        sum.gains += worker.score.gains;
        sum.turns += worker.score.turns;
        sum.decisions += worker.score.decisions;
    }
    return sum;
}

}  // namespace fogtree::cambia
