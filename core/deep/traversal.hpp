// Drives lanes on the processor: each thread fills a batch from its lanes and runs the networks.
#pragma once

#include <atomic>
#include <exception>
#include <thread>

#include "engine.hpp"
#include "harvest.hpp"
#include "lane.hpp"
#include "native_answers.hpp"

namespace fogtree::deep {

inline constexpr int kLanesPerThread = 128;

template <DeepGame Game>
class ThreadOfTraversals {
public:
    using Walker = Lane<Game, Random>;

    ThreadOfTraversals(const Game& game, const Options& options, const Networks& networks,
                       const Task& task, std::atomic<std::int64_t>& next)
        : game_(game),
          task_(task),
          next_(next),
          lane_scratch_(std::make_unique<LaneScratch>(game.shape())),
          answers_(game, networks) {
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
        for (std::int64_t round = 0; !active.empty(); ++round) {
            if (round % kRoundsPerLook == 0) {
                check_memory(task_, harvest.all().bytes() + sample_bytes(lanes_));
            }
            for (Walker* lane : active) answers_.ask(*lane);
            active.clear();
            answers_.answer([&](Walker& lane, const float* numbers) {
                const bool asks = lane.answer(numbers);
                if (!asks) keep(lane);
                if (asks || begin(lane)) active.push_back(&lane);
            });
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

    std::size_t place(const Walker& lane) const {
        return static_cast<std::size_t>(&lane - lanes_.data());
    }

    const Game& game_;
    const Task& task_;
    std::atomic<std::int64_t>& next_;
    std::unique_ptr<LaneScratch> lane_scratch_;  // stays where it is when this moves
    std::vector<Walker> lanes_;
    std::vector<std::int64_t> numbers_;  // which traversal each lane is at
    NativeAnswers<Game, Walker> answers_;
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
