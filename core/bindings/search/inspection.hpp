// How the inside of a search looks from Python; the same for every game.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <exception>
#include <optional>

#include "bindings/search/results.hpp"
#include "search/search.hpp"

using PythonRow = nanobind::typed<nanobind::dict, nanobind::str, nanobind::any>;
using PythonRows = nanobind::typed<nanobind::list, PythonRow>;
using PythonWatcher = nanobind::typed<nanobind::callable, void(PythonRow)>;

inline PythonRow as_dict(const fogtree::search::Moment& moment) {
    static constexpr const char* kNames[] = {"opened", "grown", "solved", "looked"};
    PythonRow out;
    out["event"] = kNames[static_cast<int>(moment.event)];
    out["part"] = moment.part;
    out["seconds"] = moment.seconds;
    out["iterations"] = moment.iterations;
    out["steps"] = moment.steps;
    out["nodes"] = moment.nodes;
    out["added"] = moment.added;
    return out;
}

// A search that a Python function looks on; what it raises is raised once the search has ended.
template <class Engine>
PythonRow watched(Engine& engine, const fogtree::search::Budget& budget,
                  const nanobind::callable& watcher, bool every, std::int32_t looks) {
    namespace nb = nanobind;
    std::exception_ptr trouble;
    fogtree::search::Watch watch;
    watch.every = every;
    watch.looks = looks;
    watch.tell = [&](const fogtree::search::Moment& moment) {
        if (trouble) return;
        const nb::gil_scoped_acquire hold;
        try {
            watcher(as_dict(moment));
        } catch (...) {
            trouble = std::current_exception();
            engine.stop();
        }
    };
    PythonRow decision = decided(engine, budget, watch);
    if (trouble) std::rethrow_exception(trouble);
    return decision;
}

inline PythonRow as_dict(const fogtree::search::InfosetReport& set) {
    namespace nb = nanobind;
    PythonRow out;
    out["key"] = set.key;
    out["player"] = set.player;
    out["fixed"] = set.fixed;
    out["value"] = set.value;
    out["others_reach"] = set.others_reach;
    out["own_reach"] = set.own_reach;
    out["visits"] = set.visits;
    nb::list actions;
    for (const auto& a : set.actions) {
        nb::dict row;
        row["action"] = a.action;
        row["strategy"] = a.strategy;
        row["average"] = a.average;
        row["cumulative"] = a.cumulative;
        row["regret"] = a.regret;
        row["value"] = a.quality;
        row["variance"] = a.variance;
        row["visits"] = a.visits;
        actions.append(row);
    }
    out["actions"] = actions;
    return out;
}

template <class State>
PythonRow as_dict(const fogtree::search::RootNode<State>& root) {
    namespace nb = nanobind;
    PythonRow out;
    out["choice"] = root.choice;
    out["state"] = nb::cast(root.state);
    out["ours"] = root.ours;
    out["weight"] = root.weight;
    out["reach"] = root.reach;
    out["old"] = root.old;
    out["value"] = root.value;
    out["nodes"] = root.nodes;
    nb::list line;
    for (const auto& step : root.line) {
        line.append(nb::make_tuple(step.player, step.action, step.probability));
    }
    out["line"] = line;
    out["line_value"] = root.line_value;
    return out;
}

template <class State>
PythonRow as_dict(const fogtree::search::TreeNode<State>& node) {
    namespace nb = nanobind;
    PythonRow out;
    out["parent"] = node.parent;
    out["action"] = node.action;
    out["player"] = node.player;
    out["expanded"] = node.expanded;
    out["probability"] = node.probability;
    out["value"] = node.value;
    out["knows"] = nb::make_tuple(node.knows[0], node.knows[1]);
    out["state"] = nb::cast(node.state);
    return out;
}

template <class Rows>
PythonRows as_rows(const Rows& rows) {
    PythonRows out;
    for (const auto& row : rows) out.append(as_dict(row));
    return out;
}

// The methods that look inside, for a class with an `engine`.
template <class Owner>
void bind_inspection(nanobind::class_<Owner>& type) {
    namespace nb = nanobind;
    using namespace nb::literals;
    type.def(
        "watch",
        [](Owner& self, const fogtree::search::Budget& budget, const PythonWatcher& watcher,
           bool every,
           std::int32_t looks) { return watched(self.engine, budget, watcher, every, looks); },
        "budget"_a, "watcher"_a, nb::kw_only(), "every"_a = false, "looks"_a = 0,
        "A search during which a function is told how far it is; it may look inside.");
    type.def("choices", [](const Owner& self) { return as_list(self.engine.choices()); });
    type.def(
        "roots",
        [](const Owner& self) { return as_rows(self.engine.inspect().roots(self.engine.key())); },
        "The positions at the root, with their lines.");
    type.def("levels", [](const Owner& self) {
        PythonRows out;
        for (const auto& level : self.engine.inspect().levels()) {
            PythonRow row;
            row["nodes"] = level.nodes;
            row["expanded"] = level.expanded;
            row["terminal"] = level.terminal;
            out.append(row);
        }
        return out;
    });
    type.def(
        "nodes",
        [](const Owner& self, std::size_t most) {
            return as_rows(self.engine.inspect().nodes(most));
        },
        "most"_a, "The tree in preorder, no more than so many of its nodes.");
    type.def(
        "infoset",
        [](const Owner& self, std::uint64_t key, int player) -> std::optional<PythonRow> {
            if (player != 0 && player != 1) throw std::invalid_argument("player must be 0 or 1");
            const auto* set = self.engine.subgame().tree->find(key, player);
            if (set == nullptr) return std::nullopt;
            return as_dict(self.engine.inspect().report(*set));
        },
        "key"_a, "player"_a);
    type.def(
        "gap",
        [](const Owner& self) {
            const auto gap = self.engine.inspect().gap();
            return nb::typed<nb::tuple, double, double>(nb::make_tuple(gap.ours, gap.theirs));
        },
        "What we and the opponent could gain by a best answer in the tree as it stands.");
    type.def(
        "trail",
        [](const Owner& self) {
            nb::list out;
            for (const auto& step : self.engine.trail()) {
                const auto& set = *step.node->infoset;
                PythonRow row;
                row["key"] = set.key;
                row["player"] = static_cast<int>(set.player);
                row["action"] = set[step.child].action;
                row["explored"] = step.explored;
                out.append(row);
            }
            return PythonRows(out);
        },
        "The choices of the expander's last walk, while a search is watched.");
    type.def_prop_ro("p_max", [](const Owner& self) {
        const auto& gadget = self.engine.subgame().gadget;
        return gadget.free ? 0.0 : gadget.largest_enter;
    });
    type.def_prop_ro("key", [](const Owner& self) { return self.engine.key(); });
}
