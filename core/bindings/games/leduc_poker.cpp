// Leduc poker's native walk.
#include "games/leduc_poker/rules.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include "tree/history_walk_of.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using fogtree::leduc_poker::LeducPoker;

// Adds leduc_poker_walk to the module.
void bind_leduc_poker(nb::module_& module) {
    module.def(
        "leduc_poker_walk",
        [](int players, std::string ranks, int suits, int raises,
           bool same_suit) -> std::unique_ptr<fogtree::NativeWalk> {
            return std::make_unique<fogtree::HistoryWalkOf<LeducPoker>>(
                LeducPoker({players, std::move(ranks), suits, raises, same_suit}));
        },
        "players"_a, "ranks"_a, "suits"_a, "raises"_a, "same_suit"_a,
        "A walk over all histories of Leduc poker; ranks: a letter for each, the lowest first.");
}
