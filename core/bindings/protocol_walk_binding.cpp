// ProtocolWalk in Python.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/protocol_walk.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using fogtree::HistoryWalk;
using fogtree::ProtocolWalk;
using fogtree::WalkPart;

namespace {

// Siblings still to visit, as Python has them: path, first, last, share.
using Group = std::tuple<std::vector<std::int32_t>, std::int32_t, std::int32_t, double>;

// Long lists of outcomes by path.
using Lists = nb::typed<nb::dict, nb::bytes, nb::any>;

std::vector<Group> pending(ProtocolWalk& walk) {
    const auto reading = walk.in_use.reading();
    std::vector<Group> groups;
    for (auto& one : walk.pending()) {
        groups.emplace_back(std::move(one.path), one.first, one.last, one.share);
    }
    return groups;
}

void begin_at(ProtocolWalk& walk, const std::vector<Group>& groups, Lists wide) {
    const auto alone = walk.in_use.alone();
    std::vector<ProtocolWalk::Siblings> siblings;
    for (const auto& [path, first, last, share] : groups) {
        siblings.push_back({path, first, last, share});
    }
    walk.begin_at(siblings, wide);
}

}  // namespace

// Adds ProtocolWalk to the module.
void bind_protocol_walk(nb::module_& module) {
    nb::class_<ProtocolWalk, HistoryWalk>(module, "ProtocolWalk",
                                          "A walk over any game in Python, through its protocol.")
        .def(nb::init<nb::object, nb::object, int, const ProtocolWalk::Values&>(), "checks"_a,
             "root"_a, "mover"_a, "views"_a,
             "checks: a WalkChecks object, which handles rare and faulty answers of the game; "
             "mover: who moves at the root; views: each player's first view.")
        .def(
            "step",
            [](ProtocolWalk& walk, std::int32_t history) {
                const auto reading = walk.in_use.reading();
                const auto step = walk.step(history);
                return std::tuple(step.before, step.action, step.view);
            },
            "history"_a,
            "The last step of a player's history with this number: the number of the history "
            "before it (negative: none), of the player's action since then (-1: none), and of the "
            "view.")
        .def("labels", &ProtocolWalk::labels,
             "All actions and outcomes of chance, by the number of the label.")
        .def_prop_ro("actions", &ProtocolWalk::actions, "All actions of players, by number.")
        .def_prop_ro("views", &ProtocolWalk::views, "All views, by number.")
        .def("pending", &pending,
             "The histories still to visit, the next first, as groups of siblings: the numbers of "
             "the steps from the root to their parent, the number of the first sibling and the "
             "number after the last, and the share of each in the game by estimate.")
        .def("begin_at", &begin_at, "groups"_a, "wide"_a,
             "Visit only these histories, as `pending` returns them, and what is below them; to be "
             "called before the first visit. The number after the last sibling may be too large. "
             "wide: an empty dictionary, or that of another walk over the same game: keeps a long "
             "list of outcomes of chance.")
        .def(
            "taken_part",
            [](ProtocolWalk& walk) {
                const auto alone = walk.in_use.alone();
                return walk.taken_part().to_dict();
            },
            "What was visited since `begin_at`, with all tables, as arrays and lists by name; ends "
            "the walk.")
        .def(
            "absorb",
            [](ProtocolWalk& walk, const ArrayDict& part) {
                const auto alone = walk.in_use.alone();
                walk.absorb(WalkPart::from_dict(part));
            },
            "part"_a,
            "Add what `taken_part` returned in another process; it must begin with the next "
            "history "
            "to visit. Its histories still to visit can only be absorbed in turn.")
        .def(
            "agrees",
            [](ProtocolWalk& walk, const ArrayDict& part) {
                const auto alone = walk.in_use.alone();
                return walk.agrees(WalkPart::from_dict(part));
            },
            "part"_a,
            "Whether a part that begins with the root's first child is equal to what was visited "
            "here; if it is not, the walk ends.");
}
