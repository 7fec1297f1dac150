// The limits of a search, and how much of them is spent.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <stdexcept>

#include "common/thread_team.hpp"

#include "common/time_limit.hpp"

namespace fogtree::search {

// The limits of one search.
struct Budget {
    double seconds = 0;          // 0: no limit; without any limit it runs until it is stopped
    std::int64_t steps = 0;      // walks of the expander; 0: no limit
    std::int64_t nodes = 0;      // in the tree; 0: no limit
    std::int32_t expanders = 0;  // threads beside the solver's; 0: one thread does both in turn
};

// Throws std::invalid_argument for limits out of range.
inline void check(const Budget& budget) {
    if (!std::isfinite(budget.seconds) || budget.seconds < 0 || budget.steps < 0 ||
        budget.nodes < 0 || budget.expanders < 0 || budget.expanders > kMostThreads) {
        throw std::invalid_argument("a search's budget is out of range");
    }
}

// One search's clock. `stop` may be set by any thread at any time; the searching thread calls
// `poll` now and then and ends the search if it returns true.
class Meter {
public:
    using Clock = TimeLimit::Clock;

    Meter(const Budget& budget, StopFlag& stop, const std::function<bool()>& poll)
        : budget_(budget), stop_(stop), poll_(poll), began_(Clock::now()), asked_(began_) {}

    // Seconds since the search began.
    double seconds() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

    // The part of the budget for growing the tree that is spent, by the limit that is nearest; 1 or
    // more when growing is over. Without limits it is a number that grows with time, far below 1.
    double spent(std::int64_t steps, std::int64_t nodes) const {
        const double now = seconds();
        double part = now * kNever;
        if (budget_.seconds > 0) part = now / (kGrowing * budget_.seconds);
        if (budget_.steps > 0) part = std::max(part, ratio(steps, budget_.steps));
        if (budget_.nodes > 0) part = std::max(part, ratio(nodes, budget_.nodes));
        return part;
    }

    // Whether the search was stopped: by the flag, or by `poll`, which is called now and then.
    bool stopped() {
        if (stop_.is_set()) return true;
        if (!poll_ || Clock::now() - asked_ < kPatience) return false;
        asked_ = Clock::now();
        if (!poll_()) return false;
        stop_.set();
        return true;
    }

    // Whether the time for growing the tree is over.
    bool time_is_up() const {
        return budget_.seconds > 0 && seconds() >= kGrowing * budget_.seconds;
    }
    // The limit at which an iteration of the solver is given up.
    TimeLimit limit() const {
        if (budget_.seconds <= 0) return TimeLimit(&stop_);
        return {&stop_, budget_.seconds - seconds()};
    }
    // Whether `duration` more seconds fit into the time limit.
    bool time_for(double duration) const {
        return budget_.seconds <= 0 || seconds() + duration < budget_.seconds;
    }

private:
    static constexpr double kGrowing = 0.95;  // of the time; the rest is for solving alone
    static constexpr double kNever = 1e-9;    // spent in each second of a search without limits
    static constexpr auto kPatience = std::chrono::milliseconds(10);  // between two polls
    static double ratio(std::int64_t part, std::int64_t whole) {
        return static_cast<double>(part) / static_cast<double>(whole);
    }

    const Budget& budget_;
    StopFlag& stop_;
    const std::function<bool()>& poll_;
    Clock::time_point began_, asked_;
};

}  // namespace fogtree::search
