// Drives lanes on the processor: each thread fills a batch from its lanes and runs the networks.
#pragma once

#include <atomic>
#include <exception>
#include <thread>

#include "engine.hpp"
#include "harvest.hpp"
#include "lane.hpp"

namespace fogtree::deep {

inline constexpr int kLanesPerThread = 128;

// Questions to one network, and who asked.
template <class Asker>
struct Batch {
    SparseRows rows;
    Wanted wanted;
    std::vector<Asker*> askers;
    std::vector<std::size_t> first;  // of each asker's answers
    std::vector<float> answers;

    void clear() {
        rows.clear();
        wanted.clear();
        askers.clear();
        first.clear();
    }
};

template <DeepGame Game>
class ThreadOfTraversals {
public:
    using Walker = Lane<Game, Random>;

    ThreadOfTraversals(const Game& game, const Options& options, const Networks& networks,
                       const Task& task, std::atomic<std::int64_t>& next)
        : game_(game),
          networks_(networks),
          task_(task),
          next_(next),
          lane_scratch_(std::make_unique<LaneScratch>(game.shape())),
          batches_(static_cast<std::size_t>(game.shape().players) + 1) {
        const auto lanes = std::min<std::int64_t>(kLanesPerThread, task.traversals);
        lanes_.reserve(static_cast<std::size_t>(lanes));
        for (std::int64_t i = 0; i < lanes; ++i) {
            lanes_.emplace_back(game, options, networks.form(), stream(task, 1, 0), *lane_scratch_);
        }
        numbers_.resize(lanes_.size());
    }

    void run() {
        std::vector<Walker*> active;
        for (Walker& lane : lanes_) {
            if (begin(lane)) active.push_back(&lane);
        }
        while (!active.empty()) {
            for (Walker* lane : active) ask(*lane);
            active.clear();
            for (std::size_t n = 0; n < batches_.size(); ++n) answer(n, active);
        }
    }

    Harvest harvest;

private:
    // The next traversal that has a question; those without are done at once.
    bool begin(Walker& lane) {
        for (;;) {
            const std::int64_t number = next_.fetch_add(1, std::memory_order_relaxed);
            if (number >= task_.traversals) return false;
            numbers_[place(lane)] = number;
            const int players = game_.shape().players;
            if (lane.start(task_.traverser, stream(task_, players, number),
                           sieve(task_, players, number))) {
                return true;
            }
            keep(lane);
        }
    }

    void keep(Walker& lane) { harvest.add(numbers_[place(lane)], lane.samples); }

    void ask(Walker& lane) {
        const bool value = lane.asks_value();
        auto& batch =
            batches_[value ? batches_.size() - 1 : static_cast<std::size_t>(lane.player())];
        batch.askers.push_back(&lane);
        if (!value && networks_.players.empty()) return;
        batch.first.push_back(batch.wanted.action.size());
        for (int row = 0; row < lane.rows(); ++row) {
            if (value) {
                game_.expand_history(lane.code(row), batch.rows);
            } else {
                game_.expand(lane.code(row), batch.rows);
            }
            batch.wanted.action.insert(batch.wanted.action.end(), lane.wanted(),
                                       lane.wanted() + lane.count());
            batch.wanted.end_row();
        }
    }

    void answer(std::size_t n, std::vector<Walker*>& active) {
        auto& batch = batches_[n];
        const bool known = n + 1 == batches_.size() || !networks_.players.empty();
        if (known && !batch.askers.empty()) {
            const Network& network =
                n + 1 == batches_.size() ? *networks_.value : *networks_.players[n];
            batch.answers.resize(batch.wanted.action.size());
            network.run(batch.rows, batch.wanted, batch.answers.data(), scratch_);
        }
        for (std::size_t i = 0; i < batch.askers.size(); ++i) {
            Walker& lane = *batch.askers[i];
            const float* numbers = known ? batch.answers.data() + batch.first[i] : nullptr;
            if (lane.answer(numbers)) {
                active.push_back(&lane);
                continue;
            }
            keep(lane);
            if (begin(lane)) active.push_back(&lane);
        }
        batch.clear();
    }

    std::size_t place(const Walker& lane) const {
        return static_cast<std::size_t>(&lane - lanes_.data());
    }

    const Game& game_;
    const Networks& networks_;
    const Task& task_;
    std::atomic<std::int64_t>& next_;
    std::unique_ptr<LaneScratch> lane_scratch_;  // stays where it is when this moves
    std::vector<Walker> lanes_;
    std::vector<std::int64_t> numbers_;   // which traversal each lane is at
    std::vector<Batch<Walker>> batches_;  // one per player, then the value network's
    Network::Scratch scratch_;
};

template <DeepGame Game>
Gathered traverse(const Game& game, const Options& options, const Networks& networks,
                  const Task& task) {
    check(game.shape(), options, networks, task);
    std::atomic<std::int64_t> next{0};
    std::vector<ThreadOfTraversals<Game>> threads;
    threads.reserve(static_cast<std::size_t>(task.threads));
    for (int t = 0; t < task.threads; ++t)
        threads.emplace_back(game, options, networks, task, next);
    std::vector<std::exception_ptr> errors(threads.size());
    const auto run = [&](std::size_t t) {
        try {
            threads[t].run();
        } catch (...) {
            errors[t] = std::current_exception();
        }
    };
    std::vector<std::thread> others;
    for (std::size_t t = 1; t < threads.size(); ++t) others.emplace_back(run, t);
    run(0);
    for (std::thread& other : others) other.join();
    std::vector<Harvest> harvests;
    for (std::size_t t = 0; t < threads.size(); ++t) {
        if (errors[t]) std::rethrow_exception(errors[t]);
        harvests.push_back(std::move(threads[t].harvest));
    }
    return Gathered(game.shape(), std::move(harvests), task.traversals);
}

}  // namespace fogtree::deep
