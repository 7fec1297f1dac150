// A request from another thread to end training early, even in the middle of a long walk.
#pragma once

#include <atomic>
#include <exception>

namespace fogtree {

// Thrown when a stop was requested during a batch; nothing of its epoch has been added.
class CutShort : public std::exception {
public:
    const char* what() const noexcept override { return "the batch was cut short"; }
};

// The request, which any thread may make.
class Stop {
public:
    void request() { requested_.store(true, std::memory_order_relaxed); }
    bool requested() const { return requested_.load(std::memory_order_relaxed); }
    // Throws CutShort if a stop was requested.
    void check() const {
        if (requested()) throw CutShort();
    }

private:
    std::atomic<bool> requested_{false};
};

inline const Stop kNeverStop;

}  // namespace fogtree
