// Walks over native games, for compiling.
#include "tree/history_walk.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/arrays.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using fogtree::HistoryWalk;
using fogtree::NativeWalk;

// Adds HistoryWalk and NativeWalk to the module.
void bind_history_walk(nb::module_& module) {
    nb::class_<HistoryWalk>(module, "HistoryWalk",
                            "A walk over every history of a game that fills a compiled tree.")
        .def(
            "grow",
            [](HistoryWalk& walk, std::int64_t nodes) {
                const auto alone = walk.in_use.alone();
                nb::gil_scoped_release release;
                return walk.grow(nodes);
            },
            "nodes"_a, "Visit up to `nodes` more histories; False when none is left.")
        .def_prop_ro(
            "nodes",
            [](HistoryWalk& walk) {
                const auto reading = walk.in_use.reading();
                return walk.nodes();
            },
            "Histories visited so far.")
        .def(
            "share_visited",
            [](HistoryWalk& walk) {
                const auto reading = walk.in_use.reading();
                return walk.share_visited();
            },
            "The share of the game visited so far, from 0 to 1, by estimate.")
        .def(
            "finished_tree",
            [](HistoryWalk& walk) {
                const auto alone = walk.in_use.alone();
                walk.finish();
                return walk.tree;
            },
            "The tree, once every history has been visited.")
        .def(
            "node_labels",
            [](HistoryWalk& walk) {
                const auto alone = walk.in_use.alone();
                return handed_over(std::move(walk.label));
            },
            "For each history, the number of the label of the action or outcome that led to it, -1 "
            "at the root; can be called only once.")
        .def(
            "menus",
            [](HistoryWalk& walk) {
                const auto reading = walk.in_use.reading();
                return walk.menus;
            },
            "The different lists of actions, each action as the number of its label.")
        .def(
            "infoset_menus",
            [](HistoryWalk& walk) {
                const auto reading = walk.in_use.reading();
                return handed_over(std::vector<std::int32_t>(walk.infoset_menu));
            },
            "For each information set, the index of its list of actions in `menus`.")
        .def_prop_ro(
            "infosets",
            [](HistoryWalk& walk) {
                const auto reading = walk.in_use.reading();
                return walk.tree->infosets();
            },
            "Information sets met so far.");
    nb::class_<NativeWalk, HistoryWalk>(module, "NativeWalk",
                                        "A walk over a game whose rules are native.")
        .def(
            "stream",
            [](NativeWalk& walk) {
                const auto alone = walk.in_use.alone();
                walk.stream();
            },
            "Build the sequence form instead of a tree; to be called before the first visit.")
        .def(
            "finished_form",
            [](NativeWalk& walk, bool merge) {
                const auto alone = walk.in_use.alone();
                nb::gil_scoped_release release;
                bool opposite = false;
                fogtree::SequenceForm form = walk.finished_form(opposite);
                const std::size_t nonzeros = form.nonzeros();
                if (merge) form = merged(std::move(form));
                return std::tuple(std::make_shared<fogtree::SequenceForm>(std::move(form)),
                                  nonzeros, opposite);
            },
            "merge"_a,
            "The sequence form of a streamed walk, once every history has been visited; the number "
            "of its payoffs before any were merged; whether the two players' payoffs are exact "
            "opposites.")
        .def_prop_ro(
            "streamed",
            [](NativeWalk& walk) {
                const auto reading = walk.in_use.reading();
                const auto& counts = walk.streamed;
                return std::tuple(counts.nodes, counts.terminals, counts.chance_nodes);
            },
            "Numbers of histories that a streamed walk has visited: all, terminal ones, those at "
            "which chance decides.")
        .def(
            "infoset_players",
            [](NativeWalk& walk) {
                const auto reading = walk.in_use.reading();
                return handed_over(std::vector<std::int8_t>(walk.tree->infoset_player));
            },
            "The player of each information set.")
        .def(
            "labels",
            [](NativeWalk& walk) {
                const auto reading = walk.in_use.reading();
                return walk.label_texts();
            },
            "The texts of actions and outcomes of chance, by the number of the label.")
        .def(
            "infoset_names",
            [](NativeWalk& walk) {
                const auto reading = walk.in_use.reading();
                nb::list names;
                for (std::size_t i = 0; i < walk.tree->infosets(); ++i) {
                    names.append(walk.infoset_name(i));
                }
                return nb::typed<nb::list, nb::str>(std::move(names));
            },
            "The names of the information sets.");
}
