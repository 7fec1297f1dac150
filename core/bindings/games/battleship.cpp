// Battleship's native walk.
#include "games/battleship/rules.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "tree/history_walk_of.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using fogtree::battleship::Battleship;
using fogtree::battleship::Squares;

// Adds battleship_walk to the module.
void bind_battleship(nb::module_& module) {
    module.def(
        "battleship_walk",
        [](std::vector<std::string> labels, int squares,
           std::vector<std::vector<std::pair<int, Squares>>> places, std::vector<double> values,
           int shots, bool repeats,
           double loss_multiplier) -> std::unique_ptr<fogtree::NativeWalk> {
            return std::make_unique<fogtree::HistoryWalkOf<Battleship>>(
                Battleship({std::move(labels), squares, std::move(places), std::move(values), shots,
                            repeats, loss_multiplier}));
        },
        "labels"_a, "squares"_a, "places"_a, "values"_a, "shots"_a, "repeats"_a,
        "loss_multiplier"_a,
        "A walk over all histories of battleship. labels: texts of the squares, then of the ships' "
        "places; places: for each ship, the places where it can lie, as (index of the label, "
        "squares as bits); values: of the ships; shots: of each player; repeats: whether a square "
        "may be shot at again.");
}
