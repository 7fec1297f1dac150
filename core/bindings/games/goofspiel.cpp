// Goofspiel's native walk.
#include "games/goofspiel/rules.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/unique_ptr.h>

#include "tree/history_walk_of.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using fogtree::goofspiel::Goofspiel;
using fogtree::goofspiel::Order;

// Adds GoofspielOrder and goofspiel_walk to the module.
void bind_goofspiel(nb::module_& module) {
    nb::enum_<Order>(module, "GoofspielOrder", "The order of the prizes.")
        .value("descending", Order::descending)
        .value("ascending", Order::ascending)
        .value("random", Order::random);
    module.def(
        "goofspiel_walk",
        [](int cards, Order order, bool hidden, bool wins) -> std::unique_ptr<fogtree::NativeWalk> {
            return std::make_unique<fogtree::HistoryWalkOf<Goofspiel>>(
                Goofspiel(cards, order, hidden, wins));
        },
        "cards"_a, "order"_a, "hidden"_a, "wins"_a,
        "A walk over all histories of goofspiel; wins: payoffs are 1 and -1 instead of half the "
        "points' difference.");
}
