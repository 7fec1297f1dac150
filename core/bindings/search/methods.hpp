// The methods that every game's search has in Python: searching, and reading its tree.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <stdexcept>
#include <vector>

#include "bindings/search/results.hpp"
#include "search/search.hpp"

// The limit of a piece of a search: a time (none: no limit), and the search's stop flag.
template <class Engine>
fogtree::TimeLimit time_limit(Engine& engine, std::optional<double> seconds) {
    if (!seconds) return fogtree::TimeLimit(&engine.stop_flag());
    return {&engine.stop_flag(), *seconds};
}

// Binds the methods that run the search of a class with an `engine`. All methods refuse a search
// that another thread uses (`decide` and `decide_watched` check it); only `stop_flag` may be used
// at any time.
template <class Owner>
void bind_deciding(nanobind::class_<Owner>& type) {
    namespace nb = nanobind;
    namespace search = fogtree::search;
    using namespace nb::literals;
    using Watcher = nb::typed<nb::callable, void(search::Moment)>;
    type.def(
        "decide",
        [](Owner& self, const search::Budget& budget) { return decide(self.engine, budget); },
        "budget"_a, "Search until the budget is spent.");
    type.def(
        "watch",
        [](Owner& self, const search::Budget& budget, const Watcher& watcher, bool every,
           std::int32_t looks) {
            return decide_watched(self.engine, budget, watcher, every, looks);
        },
        "budget"_a, "watcher"_a, nb::kw_only(), "every"_a = false, "looks"_a = 0,
        "Search, and call a function with the progress; it may read the tree. It is called `looks` "
        "times and, if `every`, after every walk and iteration of a search with one thread.");
    type.def_prop_ro(
        "stop_flag", [](Owner& self) -> fogtree::StopFlag& { return self.engine.stop_flag(); },
        nb::rv_policy::reference_internal,
        "Set it to end the search that is running, or else the next one; a search clears it.");
    type.def(
        "limit_memory",
        [](Owner& self, std::int64_t bytes) {
            const auto alone = self.engine.in_use().alone();
            self.engine.limit_memory(bytes);
        },
        "bytes"_a, "Limit the memory of the tree to this many bytes, from the next move on.");
    type.def(
        "examine",
        [](Owner& self, std::optional<std::uint32_t> action) {
            const auto alone = self.engine.in_use().alone();
            self.engine.examine(action);
        },
        "action"_a.none(),
        "Until the next move, let searches find out what the action with this number is worth at "
        "our information set, also if they do not play it: it gets at least a fifth of the "
        "strategy there. None: they just decide again.");
}

// Binds the methods that read the root of the search tree.
template <class Owner>
void bind_root_reading(nanobind::class_<Owner>& type) {
    type.def(
        "choices",
        [](const Owner& self) {
            const auto reading = self.engine.in_use().reading();
            return self.engine.choices();
        },
        "The opponent's information sets at the root.");
    type.def(
        "roots",
        [](const Owner& self) {
            const auto reading = self.engine.in_use().reading();
            return python_roots(self.engine.inspect().roots(self.engine.key()));
        },
        "The positions at the root, with their principal variations.");
    type.def_prop_ro(
        "p_max",
        [](const Owner& self) {
            const auto reading = self.engine.in_use().reading();
            const auto& gadget = self.engine.subgame().gadget;
            return gadget.free ? 0.0 : gadget.largest_enter;
        },
        "The largest probability with which the opponent would enter the subgame.");
    type.def_prop_ro(
        "key", [](const Owner& self) { return self.engine.key(); },
        "The key of our information set.");
}

// Binds the methods that read the rest of the search tree.
template <class Owner>
void bind_tree_reading(nanobind::class_<Owner>& type) {
    namespace nb = nanobind;
    namespace search = fogtree::search;
    using namespace nb::literals;
    type.def(
        "levels",
        [](const Owner& self) {
            const auto reading = self.engine.in_use().reading();
            return self.engine.inspect().levels();
        },
        "Counts of the nodes at each ply below the root.");
    type.def(
        "nodes",
        [](const Owner& self, std::size_t most) {
            const auto reading = self.engine.in_use().reading();
            return python_nodes(self.engine.inspect().nodes(most));
        },
        "most"_a, "The tree in preorder, at most this many nodes.");
    type.def(
        "infoset",
        [](const Owner& self, std::uint64_t key,
           int player) -> std::optional<search::InfosetReport> {
            if (player != 0 && player != 1) throw std::invalid_argument("player must be 0 or 1");
            const auto reading = self.engine.in_use().reading();
            const auto* set = self.engine.subgame().tree->find(key, player);
            if (set == nullptr) return std::nullopt;
            return self.engine.inspect().report(*set);
        },
        "key"_a, "player"_a, "An information set of the tree, or None if it is not in the tree.");
    type.def(
        "gap",
        [](const Owner& self) {
            const auto reading = self.engine.in_use().reading();
            const auto gap = self.engine.inspect().gap();
            return nb::typed<nb::tuple, double, double>(nb::make_tuple(gap.ours, gap.theirs));
        },
        "What we would gain by a best response in the tree, and what the opponent would gain.");
    type.def(
        "trail",
        [](const Owner& self) {
            const auto reading = self.engine.in_use().reading();
            std::vector<WalkChoice> out;
            for (const auto& step : self.engine.trail()) {
                const auto& set = *step.node->infoset;
                out.push_back({set.key, set.player, set[step.child].action, step.explored});
            }
            return out;
        },
        "The choices of the expander's last walk, while a search is watched.");
}

// Binds all methods that every game's search has, for a class with an `engine`.
template <class Owner>
void bind_search_methods(nanobind::class_<Owner>& type) {
    bind_deciding(type);
    bind_root_reading(type);
    bind_tree_reading(type);
}
