// Bounds of walks through games whose length is not known beforehand.
#pragma once

#include <cstddef>
#include <cstdlib>

namespace fogtree {

inline constexpr int kMostMoves = 10000;               // of a path
inline constexpr std::ptrdiff_t kMostStack = 4 << 20;  // bytes of the stack that a walk may use
inline constexpr const char* kEndlessPath = "a path has more than 10,000 moves; is there a cycle?";
inline constexpr const char* kDeepWalk =
    "its games are too long for this sampler; choose mccfr-outcome";

// Records the address of the stack where a walk begins; that of an outer walk comes back at the
// end. Samplers that try several actions recurse at every own decision.
class StackMark {
public:
    StackMark() : outer_(start_) { start_ = static_cast<const char*>(__builtin_frame_address(0)); }
    ~StackMark() { start_ = outer_; }
    StackMark(const StackMark&) = delete;
    StackMark& operator=(const StackMark&) = delete;

    // Whether the walk of this thread has used up its stack; false outside of a walk.
    static bool used_up() {
        const auto* here = static_cast<const char*>(__builtin_frame_address(0));
        return start_ != nullptr && std::abs(start_ - here) > kMostStack;
    }

private:
    static inline constinit thread_local const char* start_ = nullptr;
    const char* outer_;
};

}  // namespace fogtree
