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
    // Reached when the flag is set (null: never).
    explicit TimeLimit(const StopFlag* stop) : stop_(stop) {}
    // Reached this many seconds from now, or when the flag is set.
    TimeLimit(const StopFlag* stop, double seconds)
        : stop_(stop),
          end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                  std::chrono::duration<double>(moderate(seconds)))) {}

    // Whether the flag is set.
    bool stopped() const { return stop_ != nullptr && stop_->is_set(); }
    // Whether the flag is set or the time is up.
    bool reached() const {
        if (stopped()) return true;
        return end_ != Clock::time_point::max() && Clock::now() >= end_;
    }

private:
    static constexpr double kLong = 1e9;  // seconds
    // The seconds, cut to 0 to kLong, which a clock can count; NaN counts as 0.
    static double moderate(double seconds) { return seconds > 0 ? std::min(seconds, kLong) : 0; }

    const StopFlag* stop_ = nullptr;
    Clock::time_point end_ = Clock::time_point::max();
};

}  // namespace fogtree
