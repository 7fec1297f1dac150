// Runs traversals on the processor: each thread collects the questions of its suspended walks in a
// batch, runs the networks on it and resumes the walks.
#pragma once

#include <atomic>

#include "common/thread_team.hpp"
#include "deep/engine.hpp"
#include "deep/native_answers.hpp"
#include "deep/sample_batch.hpp"
#include "deep/suspended_walk.hpp"

namespace fogtree::deep {

inline constexpr int kWalksPerThread = 128;  // walks in progress, whose questions make one batch

// The walks of one thread, all advanced in turn.
template <DeepGame Game>
class TraversalThread {
public:
    using Walk = SuspendedWalk<Game, CounterRandom>;

    // Makes the thread's walks, at most kWalksPerThread. Each runs one traversal after another, and
    // the questions of all of them to a network make one batch. The random stream given here is a
    // placeholder: every traversal gets one of its own when it begins. `next`: the number of the
    // next traversal, shared by all threads.
    TraversalThread(const Game& game, const Options& options, const Networks& networks,
                    const Task& task, Interruption& interruption, std::atomic<std::int64_t>& next)
        : game_(game),
          task_(task),
          interruption_(interruption),
          next_(next),
          walk_scratch_(std::make_unique<WalkScratch>(game.shape())),
          answers_(game, networks) {
        const auto walks = std::min<std::int64_t>(kWalksPerThread, task.traversals);
        walks_.reserve(static_cast<std::size_t>(walks));
        for (std::int64_t i = 0; i < walks; ++i) {
            walks_.emplace_back(game, options, networks.form(), stream(task, 1, 0), *walk_scratch_);
        }
        numbers_.resize(walks_.size());
    }

    // Runs walks until no traversal is left to begin.
    void run() {
        std::vector<Walk*> active;
        for (Walk& walk : walks_) {
            if (begin(walk)) active.push_back(&walk);
        }
        for (std::int64_t round = 0; !active.empty(); ++round) {
            interruption_.check();
            if (round % kRoundsPerLook == 0) {
                check_memory(task_, batch.all().bytes() + sample_bytes(walks_));
            }
            for (Walk* walk : active) answers_.ask(*walk);
            active.clear();
            answers_.answer([&](Walk& walk, const float* numbers) {
                const bool asks = walk.answer(numbers);
                if (!asks) keep(walk);
                if (asks || begin(walk)) active.push_back(&walk);
            });
        }
    }

    SampleBatch batch;

private:
    // Starts the next traversal in `walk` and runs it to its first question; traversals that end
    // without a question are kept at once. False if no traversal is left.
    bool begin(Walk& walk) {
        for (;;) {
            interruption_.check();
            const std::int64_t number = next_.fetch_add(1, std::memory_order_relaxed);
            if (number >= task_.traversals) return false;
            numbers_[place(walk)] = number;
            const int players = game_.shape().players;
            if (walk.start(task_.traverser, stream(task_, players, number),
                           filter_for(task_, players, number))) {
                return true;
            }
            keep(walk);
        }
    }

    // Adds the samples of a finished walk to the batch.
    void keep(Walk& walk) { batch.add(numbers_[place(walk)], walk.samples); }

    // The index of a walk in walks_.
    std::size_t place(const Walk& walk) const {
        return static_cast<std::size_t>(&walk - walks_.data());
    }

    const Game& game_;
    const Task& task_;
    Interruption& interruption_;
    std::atomic<std::int64_t>& next_;
    std::unique_ptr<WalkScratch> walk_scratch_;  // stays where it is when this moves
    std::vector<Walk> walks_;
    std::vector<std::int64_t> numbers_;  // which traversal each walk is at
    NativeAnswers<Game, Walk> answers_;
};

// Runs all traversals of a task on its threads and returns their samples.
template <DeepGame Game>
CollectedSamples traverse(const Game& game, const Options& options, const Networks& networks,
                          const Task& task, Interruption& interruption) {
    check(game.shape(), options, networks, task);
    std::atomic<std::int64_t> next{0};
    std::vector<TraversalThread<Game>> threads;
    threads.reserve(static_cast<std::size_t>(task.threads));
    for (int t = 0; t < task.threads; ++t)
        threads.emplace_back(game, options, networks, task, interruption, next);
    run_on_threads(task.threads, [&](int t) { threads[static_cast<std::size_t>(t)].run(); });
    std::vector<SampleBatch> batches;
    for (auto& thread : threads) batches.push_back(std::move(thread.batch));
    return CollectedSamples(game.shape(), std::move(batches), task.traversals);
}

}  // namespace fogtree::deep
