// Ends work on many threads early when the caller's poll says so, for example after Ctrl-C.
#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <thread>
#include <utility>

#include "common/time_limit.hpp"

namespace fogtree {

// Thrown where work is interrupted.
class Interrupted : public std::exception {
public:
    const char* what() const noexcept override { return "interrupted"; }
};

// A request to end work early, which all working threads check.
class Interruption {
public:
    // `poll` is called now and then by the thread that makes this object, and ends the work of all
    // threads when it returns true. It must not throw.
    explicit Interruption(std::function<bool()> poll = {})
        : poll_(std::move(poll)), caller_(std::this_thread::get_id()) {}

    // To be called by every thread many times a second. Throws Interrupted once `poll` has returned
    // true.
    void check() {
        if (poll_ && std::this_thread::get_id() == caller_) {
            const auto now = Clock::now();
            if (now - asked_ > kPatience) {
                asked_ = now;
                if (poll_()) stop_.set();
            }
        }
        if (stop_.is_set()) throw Interrupted();
    }

private:
    using Clock = TimeLimit::Clock;
    static constexpr auto kPatience = std::chrono::milliseconds(20);  // between two polls

    std::function<bool()> poll_;
    std::thread::id caller_;
    Clock::time_point asked_ = Clock::now();
    StopFlag stop_;
};

}  // namespace fogtree
