#include "games/cambia/match.hpp"

#include <atomic>
#include <map>
#include <stdexcept>

#include "common/thread_team.hpp"
#include "deep/policy.hpp"

namespace fogtree::cambia {

namespace {

constexpr int kGamesPerThread = 256;  // in progress at the same time

// Throws unless a contestant's networks and weights fit the game.
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
struct RunningGame {
    EncodedGame::State state;
    CounterRandom chance;
    CounterRandom choices;
    int seat;         // of the first contestant
    int strategy[2];  // by contestant: the index of the strategy that plays this game
    int count;        // number of legal actions
    std::vector<deep::Action> legal;
};

// Decisions that wait for the same network: its inputs, the outputs wanted, and their games.
struct Waiting {
    deep::SparseRows rows;
    deep::Wanted wanted;
    std::vector<RunningGame*> games;
};

// One thread's games, whose networks are asked in batches.
class MatchWorker {
public:
    // `games`: of the whole match. `next`: the number of the next game to begin, shared by all
    // threads. The running games are only allocated here; begin() fills them.
    MatchWorker(const EncodedGame& game, const Contestant& first, const Contestant& second,
                std::int64_t games, std::uint64_t seed, Interruption& interruption,
                std::atomic<std::int64_t>& next)
        : game_(game),
          contestants_{&first, &second},
          games_(games),
          seed_(seed),
          interruption_(interruption),
          next_(next) {
        code_.resize(static_cast<std::size_t>(game.shape().code_bytes));
        mix_.resize(static_cast<std::size_t>(game.shape().most_actions));
        for (int t = 0; t < kGamesPerThread; ++t) {
            running_.push_back({game.root(),
                                CounterRandom(0, 0, 0),
                                CounterRandom(0, 0, 0),
                                0,
                                {0, 0},
                                0,
                                std::vector<deep::Action>(mix_.size())});
        }
    }

    // Plays games until none is left to begin.
    void run() {
        std::vector<RunningGame*> active;
        for (RunningGame& running : running_) {
            if (begin(running)) active.push_back(&running);
        }
        while (!active.empty()) {
            interruption_.check();
            for (RunningGame* running : active) ask(*running);
            active.clear();
            for (auto& [network, waiting] : waiting_) answer(*network, waiting, active);
        }
    }

    MatchScore score;

private:
    // Starts the next game that a network has to decide in; false if no game is left.
    bool begin(RunningGame& running) {
        for (;;) {
            interruption_.check();
            const std::int64_t number = next_.fetch_add(1, std::memory_order_relaxed);
            if (number >= games_) return false;
            const auto players = static_cast<std::int64_t>(game_.shape().players);
            const auto deal = static_cast<std::uint64_t>(number / players);
            running.state = game_.root();
            running.chance = CounterRandom(seed_, deal, 0);
            running.choices =
                CounterRandom(seed_, deal, static_cast<std::uint64_t>(1 + number % players));
            running.seat = static_cast<int>(number % players);
            for (int c = 0; c < 2; ++c) {
                const auto& weights = contestants_[c]->weights;
                double total = 0;
                for (const double weight : weights) total += weight;
                running.strategy[c] =
                    weights.empty() ? 0
                                    : running.choices.pick(weights.data(),
                                                           static_cast<int>(weights.size()), total);
            }
            if (advance(running)) return true;
        }
    }

    // Which contestant is to move: 0 for the first, 1 for the second.
    int contestant(const RunningGame& running) const {
        return running.state.position.actor == running.seat ? 0 : 1;
    }

    // Plays on to the next decision of a network; false at the end of the game, which is then
    // counted.
    bool advance(RunningGame& running) {
        for (;;) {
            const int player = game_.player(running.state);
            if (player == kChance) {
                game_.sample(running.state, running.chance);
            } else if (player == kTerminal) {
                count_game(running);
                return false;
            } else {
                ++score.decisions;
                const Contestant& mover = *contestants_[contestant(running)];
                if (!mover.strategies.empty()) {
                    running.count = game_.legal(running.state, running.legal.data());
                    if (running.count > 1) return true;
                    game_.step(running.state, 0);
                } else {
                    game_.step(running.state, choose(mover.script, game_.rules(),
                                                     running.state.position, running.choices));
                }
            }
        }
    }

    // Adds a finished game to the score.
    void count_game(const RunningGame& running) {
        const float gain = game_.payoff(running.state, running.seat);
        ++(gain > 0 ? score.wins : gain < 0 ? score.losses : score.draws);
        score.gains += static_cast<double>(gain);
        score.turns += running.state.position.turn;
    }

    // Queues a game's decision for its mover's network.
    void ask(RunningGame& running) {
        const int mover = contestant(running);
        const auto& networks =
            contestants_[mover]->strategies[static_cast<std::size_t>(running.strategy[mover])];
        const std::size_t seat = networks.size() == 1 ? 0 : running.state.position.actor;
        Waiting& waiting = waiting_[networks[seat].get()];
        game_.encode(running.state, code_.data());
        game_.expand(code_.data(), waiting.rows);
        waiting.wanted.action.insert(waiting.wanted.action.end(), running.legal.begin(),
                                     running.legal.begin() + running.count);
        waiting.wanted.end_row();
        waiting.games.push_back(&running);
    }

    // Runs a network for all decisions that wait for it, and plays on in their games; those that
    // need a network again are added to `active`.
    void answer(const deep::Network& network, Waiting& waiting, std::vector<RunningGame*>& active) {
        answers_.resize(waiting.wanted.action.size());
        network.run(waiting.rows, waiting.wanted, answers_.data(), scratch_);
        for (std::size_t i = 0; i < waiting.games.size(); ++i) {
            RunningGame& running = *waiting.games[i];
            const Contestant& mover = *contestants_[contestant(running)];
            deep::strategy_of(answers_.data() + waiting.wanted.first[i], running.count,
                              mover.softmax, mover.uniform_fallback, mix_.data());
            float total = 0;
            for (int a = 0; a < running.count; ++a) total += mix_[static_cast<std::size_t>(a)];
            game_.step(running.state, running.choices.pick(mix_.data(), running.count, total));
            if (advance(running) || begin(running)) active.push_back(&running);
        }
        waiting.rows.clear();
        waiting.wanted.clear();
        waiting.games.clear();
    }

    const EncodedGame& game_;
    const Contestant* contestants_[2];
    std::int64_t games_;
    std::uint64_t seed_;
    Interruption& interruption_;
    std::atomic<std::int64_t>& next_;
    std::vector<RunningGame> running_;
    std::map<const deep::Network*, Waiting> waiting_;
    std::vector<std::uint8_t> code_;
    std::vector<float> mix_;
    std::vector<float> answers_;
    deep::Network::Scratch scratch_;
};

}  // namespace

// Plays a match on several threads, and adds up their scores.
MatchScore play_match(const EncodedGame& game, const Contestant& first, const Contestant& second,
                      std::int64_t games, std::uint64_t seed, int threads,
                      Interruption& interruption) {
    check(game, first);
    check(game, second);
    if (games < 0) throw std::invalid_argument("the number of games is negative");
    check_threads(threads);
    std::atomic<std::int64_t> next{0};
    std::vector<MatchWorker> workers;
    workers.reserve(static_cast<std::size_t>(threads));
    for (int t = 0; t < threads; ++t)
        workers.emplace_back(game, first, second, games, seed, interruption, next);
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
