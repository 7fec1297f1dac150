// Running one function on several threads, with or without barriers.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace fogtree {

inline constexpr int kMostThreads = 1024;

// Throws std::invalid_argument for a number of threads that makes no sense.
inline void check_threads(int threads) {
    if (threads < 1 || threads > kMostThreads) {
        throw std::invalid_argument("threads must be 1 to 1024, not " + std::to_string(threads));
    }
}

// The system refused to start a thread.
class ThreadsUnavailable : public std::runtime_error {
public:
    explicit ThreadsUnavailable(std::size_t wanted)
        : std::runtime_error("the system does not start " + std::to_string(wanted) +
                             " more threads; use fewer, or allow the process more") {}
};

// A list of threads that are joined at the latest when the list is destroyed.
class JoinedThreads {
public:
    explicit JoinedThreads(std::size_t count) { threads_.reserve(count); }
    JoinedThreads(const JoinedThreads&) = delete;
    JoinedThreads& operator=(const JoinedThreads&) = delete;
    ~JoinedThreads() { join(); }

    // Starts a thread that does `work`; false if the system refuses one.
    template <class Work>
    bool start(Work&& work) {
        try {
            threads_.emplace_back(std::forward<Work>(work));
        } catch (const std::system_error&) {
            return false;
        } catch (const std::bad_alloc&) {
            return false;
        }
        return true;
    }

    void join() {
        for (std::thread& thread : threads_) thread.join();
        threads_.clear();
    }

private:
    std::vector<std::thread> threads_;
};

// Calls `work(worker)` for every worker from 0 to workers - 1, each on a thread of its own. The
// calling thread does worker 0's work and, after it, that of workers for which the system has no
// thread. When all have ended, the exception of the worker with the lowest number that failed is
// thrown again.
template <class Work>
void run_on_threads(int workers, Work&& work) {
    check_threads(workers);
    std::vector<std::exception_ptr> errors(static_cast<std::size_t>(workers));
    const auto guarded = [&](int worker) {
        try {
            work(worker);
        } catch (...) {
            errors[static_cast<std::size_t>(worker)] = std::current_exception();
        }
    };
    JoinedThreads others(static_cast<std::size_t>(workers - 1));
    int started = 1;
    while (started < workers && others.start([&guarded, started] { guarded(started); })) ++started;
    guarded(0);
    for (int worker = started; worker < workers; ++worker) guarded(worker);
    others.join();
    for (const std::exception_ptr& error : errors)
        if (error) std::rethrow_exception(error);
}

// The part [begin, end) of a range.
struct Share {
    std::size_t begin;
    std::size_t end;
};
// One worker's part of [0, size) when every worker gets a contiguous part of about equal size.
inline Share share_of(std::size_t size, int workers, int worker) {
    const auto count = static_cast<std::size_t>(workers);
    const auto number = static_cast<std::size_t>(worker);
    return {size * number / count, size * (number + 1) / count};
}

// Threads that run one function together and wait for each other at barriers.
class ThreadTeam {
public:
    explicit ThreadTeam(int size) : size_(size) { check_threads(size); }

    int size() const { return size_; }

    // Calls `work(worker)` for every worker, all at the same time; the calling thread is worker 0.
    // `work` must not throw: the others would wait for it at a barrier. Throws ThreadsUnavailable,
    // and calls nothing, if the system has too few threads.
    template <class Work>
    void run(Work&& work) {
        const auto others = static_cast<std::size_t>(size_ - 1);
        std::atomic<Start> start{Start::wait};
        JoinedThreads threads(others);
        bool complete = true;
        for (int worker = 1; worker < size_ && complete; ++worker) {
            complete = threads.start([&start, &work, worker]() noexcept {
                start.wait(Start::wait);
                if (start.load() == Start::go) work(worker);
            });
        }
        start.store(complete ? Start::go : Start::give_up);
        start.notify_all();
        if (!complete) throw ThreadsUnavailable(others);
        [&]() noexcept { work(0); }();
    }

    // Waits until every worker of the team has called it. Spins, because the work between two
    // barriers takes microseconds; a long wait leaves the processor to other threads.
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
    enum class Start { wait, go, give_up };

    int size_;
    alignas(64) std::atomic<int> arrived_{0};
    alignas(64) std::atomic<unsigned> turn_{0};
};

}  // namespace fogtree
