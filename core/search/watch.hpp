// Somebody looks on while a search runs: what just happened, and how far it is.
#pragma once

#include <cstdint>
#include <functional>

#include "search/budget.hpp"
#include "search/solver.hpp"

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

// A watch over one search.
template <class State>
struct Onlooker {
    const Watch& watch;
    const Solver<State>& solver;
    const Meter& meter;
    std::int64_t before;  // iterations of earlier searches
    std::int32_t looks = 0;
    std::int32_t added = 0;

    double next() const {  // the part of the budget after which to look again
        if (looks >= watch.looks) return 2;
        const double part = static_cast<double>(looks) / watch.looks;
        return part * part;
    }

    void tell(Event event, double part, std::int64_t steps, std::int64_t nodes) {
        if (event == Event::looked) {
            ++looks;
        } else if (!watch.every) {
            return;
        }
        watch.tell(
            {event, part, meter.seconds(), solver.iterations() - before, steps, nodes, added});
    }
};

}  // namespace fogtree::search
