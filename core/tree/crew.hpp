// A few threads that run one function together and meet at barriers.
#pragma once

#include <atomic>
#include <exception>
#include <thread>
#include <vector>

namespace fogtree {

class Crew {
public:
    explicit Crew(int size) : size_(size) {}

    int size() const { return size_; }

    // Runs `work(worker)` on every worker; the calling thread is worker 0.
    template <class Work>
    void run(Work&& work) {
        std::vector<std::thread> others;
        others.reserve(static_cast<std::size_t>(size_ - 1));
        for (int w = 1; w < size_; ++w) others.emplace_back([&work, w] { work(w); });
        work(0);
        for (std::thread& other : others) other.join();
    }

    // Everybody waits until everybody is here. Spins: the work in between takes microseconds.
    void meet() {
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
