// Ends training early, from another thread, also in the middle of a walk that would not end.
#pragma once

#include <atomic>
#include <exception>

namespace fogtree {

// A batch was left before its end. Nothing of its epoch has been added.
class CutShort : public std::exception {
public:
    const char* what() const noexcept override { return "the batch was cut short"; }
};

class Stop {
public:
    void ask() { asked_.store(true, std::memory_order_relaxed); }
    bool asked() const { return asked_.load(std::memory_order_relaxed); }
    void check() const {
        if (asked()) throw CutShort();
    }

private:
    std::atomic<bool> asked_{false};
};

inline const Stop kNeverStop;

}  // namespace fogtree
