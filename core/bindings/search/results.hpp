// Running a search from Python, and its results as Python objects; the same for every game.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <utility>
#include <vector>

#include "bindings/signals.hpp"
#include "search/search.hpp"

// Positions of any game, as Python objects.
using PythonRoot = fogtree::search::RootPosition<nanobind::object>;
using PythonNode = fogtree::search::TreeNode<nanobind::object>;

// A choice on the last walk of the expander: the key of the information set, its player, the action
// taken, and whether it was chosen to explore.
struct WalkChoice {
    std::uint64_t key;
    int player;
    std::uint32_t action;
    bool explored;
};

// The root positions with their states as Python objects.
template <class State>
std::vector<PythonRoot> python_roots(std::vector<fogtree::search::RootPosition<State>>&& roots) {
    std::vector<PythonRoot> out;
    out.reserve(roots.size());
    for (auto& root : roots) {
        out.push_back({root.choice, nanobind::cast(root.state), root.possible, root.weight,
                       root.earlier_reach, root.value, root.nodes, std::move(root.line),
                       root.line_value});
    }
    return out;
}

// The nodes of a tree with their states as Python objects.
template <class State>
std::vector<PythonNode> python_nodes(const std::vector<fogtree::search::TreeNode<State>>& nodes) {
    std::vector<PythonNode> out;
    out.reserve(nodes.size());
    for (const auto& node : nodes) {
        out.push_back({node.parent,
                       node.action,
                       node.player,
                       node.expanded,
                       node.value,
                       {node.infosets[0], node.infosets[1]},
                       nanobind::cast(node.state)});
    }
    return out;
}

// Searches until the budget is spent, without the interpreter's lock, and returns the decision.
// Ctrl-C ends the search and raises KeyboardInterrupt.
template <class Engine>
fogtree::search::Decision decide(Engine& engine, const fogtree::search::Budget& budget,
                                 const fogtree::search::Watch& watch = {}) {
    const auto alone = engine.in_use().alone();
    fogtree::search::Decision decision;
    std::exception_ptr interrupt;  // fetched at once, because the watcher may call Python again
    const std::function<bool()> poll = signal_poll(interrupt);
    {
        nanobind::gil_scoped_release release;
        try {
            decision = engine.decide(budget, poll, watch);
        } catch (...) {
            if (!interrupt) throw;
        }
    }
    if (interrupt) std::rethrow_exception(interrupt);
    return decision;
}

// Searches, calls the Python function `watcher` with progress reports, and returns the decision.
// `every`: reports of every walk and iteration too; `looks`: the number of progress reports. What
// the function raises ends the search and is raised again here.
template <class Engine>
fogtree::search::Decision decide_watched(Engine& engine, const fogtree::search::Budget& budget,
                                         const nanobind::callable& watcher, bool every,
                                         std::int32_t looks) {
    std::exception_ptr raised;
    fogtree::search::Watch watch;
    watch.every = every;
    watch.looks = looks;
    watch.tell = [&](const fogtree::search::Moment& moment) {
        if (raised) return;
        const nanobind::gil_scoped_acquire hold;
        try {
            watcher(moment);
        } catch (...) {
            raised = std::current_exception();
            engine.stop();
        }
    };
    fogtree::search::Decision decision = decide(engine, budget, watch);
    if (raised) std::rethrow_exception(raised);
    return decision;
}
