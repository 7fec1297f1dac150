// Running one function on several threads, with or without barriers.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace fogtree {

// Calls `work(worker)` for every worker from 0 to workers - 1, each on a thread of its own; the
// calling thread is worker 0. When all have ended, the exception of the first worker that failed is
// thrown again.
template <class Work>
void run_on_threads(int workers, Work&& work) {
    std::vector<std::exception_ptr> errors(static_cast<std::size_t>(workers));
    const auto guarded = [&](int worker) {
        try {
            work(worker);
        } catch (...) {
            errors[static_cast<std::size_t>(worker)] = std::current_exception();
        }
    };
    std::vector<std::thread> others;
    others.reserve(static_cast<std::size_t>(workers - 1));
    for (int worker = 1; worker < workers; ++worker) others.emplace_back(guarded, worker);
    guarded(0);
    for (std::thread& other : others) other.join();
    for (const std::exception_ptr& error : errors)
        if (error) std::rethrow_exception(error);
}

// One worker's part of [0, size) when every worker gets a contiguous part of about equal size.
struct Share {
    std::size_t begin;
    std::size_t end;
};
inline Share share_of(std::size_t size, int workers, int worker) {
    const auto count = static_cast<std::size_t>(workers);
    const auto number = static_cast<std::size_t>(worker);
    return {size * number / count, size * (number + 1) / count};
}

// Threads that run one function together and wait for each other at barriers.
class ThreadTeam {
public:
    explicit ThreadTeam(int size) : size_(size) {}

    int size() const { return size_; }

    // As `run_on_threads`, but `work` must not throw: the others would wait for it at a barrier.
    template <class Work>
    void run(Work&& work) {
        run_on_threads(size_, [&](int worker) noexcept { work(worker); });
    }

    // Waits until every worker of the team has called it. Spins, because the work between two
    // barriers takes microseconds.
    void barrier() {
        if (size_ == 1) return;
        const unsigned turn = turn_.load(std::memory_order_acquire);
        if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == size_) {
            arrived_.store(0, std::memory_order_relaxed);
            turn_.store(turn + 1, std::memory_order_release);
            return;
        }
        for (unsigned spins = 0; turn_.load(std::memory_order_acquire) == turn; ++spins) {
            if (spins > 4000) std::this_thread::yield();
        }
    }

private:
    int size_;
    alignas(64) std::atomic<int> arrived_{0};
    alignas(64) std::atomic<unsigned> turn_{0};
};

}  // namespace fogtree
