// Somebody looks on while a search runs: what just happened, and how far it is.
#pragma once

#include <cstdint>
#include <functional>

namespace fogtree::search {

enum class Event : std::uint8_t {
    opened,  // the subgame is there, our own information set in it
    grown,   // one walk of the expander
    solved,  // one iteration
    looked,  // a part of the budget is used up
};

struct Moment {
    Event event;
    double part;  // of the budget
    double seconds;
    std::int64_t iterations, steps, nodes;
    std::int32_t added;  // nodes, by the last walk
};

struct Watch {
    std::function<void(const Moment&)> tell;  // in the thread that solves; must not throw
    bool every = false;      // walk and iteration (one thread only), not only now and then
    std::int32_t looks = 0;  // so often, closer together at first
};

}  // namespace fogtree::search
