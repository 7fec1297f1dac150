// A part of a walk over a game in Python, as one process hands it to another.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <vector>

#include "bindings/arrays.hpp"

namespace fogtree {

// Histories in the order of the walk, and the tables of the walk that visited them. All numbers are
// those of its own tables.
struct WalkPart {
    // One entry per history, `view` and `payoffs` one per player; as in FlatTree, but the parent of
    // a history whose parent is not in the part is negative.
    std::vector<std::int32_t> parent, action, index, label, view;
    std::vector<std::int8_t> player;
    std::vector<double> chance, payoffs;
    // The players' memories: the memory before (negative: none), the own action since (-1: none),
    // and the view.
    std::vector<std::int32_t> memory_before, memory_action, memory_view;
    // One entry per information set.
    std::vector<std::int8_t> infoset_player;
    std::vector<std::int32_t> infoset_memory;
    // The histories still to visit whose parent is in the part, the next one last.
    std::vector<std::int32_t> pending_parent, pending_action, pending_label, pending_depth,
        pending_view;
    std::vector<std::int8_t> pending_player;
    std::vector<double> pending_chance, pending_share;
    // Python's objects by number: labels, players' actions and views; and of each information set
    // its actions (a tuple), the name that the game gives it (or None) and the view.
    nanobind::list labels, actions, views, infoset_actions, infoset_names, infoset_views;

    // Calls `take(name, column)` for every array.
    template <class Part, class Take>
    static void each_array(Part& part, const Take& take) {
        take("parent", part.parent);
        take("action", part.action);
        take("index", part.index);
        take("label", part.label);
        take("view", part.view);
        take("player", part.player);
        take("chance", part.chance);
        take("payoffs", part.payoffs);
        take("memory_before", part.memory_before);
        take("memory_action", part.memory_action);
        take("memory_view", part.memory_view);
        take("infoset_player", part.infoset_player);
        take("infoset_memory", part.infoset_memory);
        take("pending_parent", part.pending_parent);
        take("pending_action", part.pending_action);
        take("pending_label", part.pending_label);
        take("pending_depth", part.pending_depth);
        take("pending_view", part.pending_view);
        take("pending_player", part.pending_player);
        take("pending_chance", part.pending_chance);
        take("pending_share", part.pending_share);
    }
    // Calls `take(name, list)` for every list of objects.
    template <class Part, class Take>
    static void each_list(Part& part, const Take& take) {
        take("labels", part.labels);
        take("actions", part.actions);
        take("views", part.views);
        take("infoset_actions", part.infoset_actions);
        take("infoset_names", part.infoset_names);
        take("infoset_views", part.infoset_views);
    }

    ArrayDict to_dict() &&;
    static WalkPart from_dict(const nanobind::dict& dict);

    // Throws std::invalid_argument if arrays that belong together have different lengths.
    void check(std::size_t players) const;
};

}  // namespace fogtree
