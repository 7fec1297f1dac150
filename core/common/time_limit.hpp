// When a piece of work must end: at a time, or when another thread says so.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>

namespace fogtree {

// A flag that any thread may set; it stays set until it is cleared.
class StopFlag {
public:
    void set() { set_.store(true, std::memory_order_relaxed); }
    void clear() { set_.store(false, std::memory_order_relaxed); }
    bool is_set() const { return set_.load(std::memory_order_relaxed); }

private:
    std::atomic<bool> set_{false};
};

// A limit that is reached at a time, or when a stop flag is set.
class TimeLimit {
public:
    using Clock = std::chrono::steady_clock;

    TimeLimit() = default;  // never reached
    explicit TimeLimit(const StopFlag* stop) : stop_(stop) {}
    TimeLimit(const StopFlag* stop, double seconds)
        : stop_(stop),
          end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                  std::chrono::duration<double>(moderate(seconds)))) {}

    bool stopped() const { return stop_ != nullptr && stop_->is_set(); }
    bool reached() const {
        if (stopped()) return true;
        return end_ != Clock::time_point::max() && Clock::now() >= end_;
    }

private:
    static constexpr double kLong = 1e9;  // seconds
    // Seconds within a sane range; NaN counts as 0.
    static double moderate(double seconds) { return seconds > 0 ? std::min(seconds, kLong) : 0; }

    const StopFlag* stop_ = nullptr;
    Clock::time_point end_ = Clock::time_point::max();
};

}  // namespace fogtree
