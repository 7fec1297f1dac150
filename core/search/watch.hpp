// Reporting the progress of a search to a watcher while it runs.
#pragma once

#include <cstdint>
#include <functional>

#include "search/budget.hpp"
#include "search/solver.hpp"

namespace fogtree::search {

// What has just happened in a search.
enum class Event : std::uint8_t {
    opened,    // the subgame is built, with our own information set in it
    expanded,  // one walk of the expander has ended
    iterated,  // one iteration of the solver has ended
    progress,  // another part of the budget is spent
};

// The state of a search at an event.
struct Moment {
    Event event;
    double part;  // of the budget that is spent
    double seconds;
    std::int64_t iterations, steps, nodes;
    std::int32_t added;  // nodes that the last walk added
};

// A watcher, and what it wants to see.
struct Watch {
    std::function<void(const Moment&)> tell;  // called by the solver's thread; must not throw
    bool every = false;      // report every walk and iteration (with one thread only)
    std::int32_t looks = 0;  // number of progress reports, closer together at first
};

// The watcher of one search that is running.
template <class State>
struct ActiveWatch {
    const Watch& watch;
    const Solver<State>& solver;
    const Meter& meter;
    std::int64_t before;     // iterations of earlier searches
    std::int32_t looks = 0;  // progress reports made
    std::int32_t added = 0;  // nodes that the last walk added

    // The part of the budget after which the next progress report is due: (k / n)^2 for report k of
    // n, from 0 on.
    double next() const {
        if (looks >= watch.looks) return 2;  // never
        const double part = static_cast<double>(looks) / watch.looks;
        return part * part;
    }

    // Reports an event, if the watcher wants to see it. `part`: of the budget that is spent.
    void tell(Event event, double part, std::int64_t steps, std::int64_t nodes) {
        if (event == Event::progress) {
            ++looks;
        } else if (!watch.every) {
            return;
        }
        watch.tell(
            {event, part, meter.seconds(), solver.iterations() - before, steps, nodes, added});
    }
};

}  // namespace fogtree::search
