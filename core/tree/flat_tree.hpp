// A game tree as flat arrays: every history once, in preorder, parents before children.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fogtree {

inline constexpr std::int8_t kChance = -1;
inline constexpr std::int8_t kTerminal = -2;

// The arrays of a tree.
struct FlatTree {
    int players = 0;

    // One entry per node.
    std::vector<std::int32_t> parent;  // -1 at the root
    std::vector<std::int8_t> player;   // who moves; kChance, kTerminal
    std::vector<std::int32_t> action;  // which of the parent's actions led here
    // At a decision the number of its information set, at the end the row of `payoffs`, at chance
    // -1.
    std::vector<std::int32_t> index;
    std::vector<double> chance;      // probability of the edge from a chance parent, else 1
    std::vector<std::int32_t> view;  // nodes x players: id of the player's remembered history

    // One row per terminal node.
    std::vector<double> payoffs;  // terminals x players

    // One entry per information set.
    std::vector<std::int8_t> infoset_player;
    std::vector<std::int32_t> infoset_actions;

    // A strategy is one array over *slots*: the actions of infoset 0, then those of infoset 1, ...
    std::vector<std::int32_t> first_slot;  // infosets + 1

    std::size_t nodes() const { return parent.size(); }
    std::size_t infosets() const { return infoset_player.size(); }
    std::size_t slots() const { return static_cast<std::size_t>(first_slot.back()); }
    std::size_t bytes() const;

    // Fills `first_slot` and throws std::invalid_argument where the arrays contradict each other.
    void finish();
    // Fills `first_slot` alone; the caller knows that the arrays are consistent.
    void number_slots();

private:
    void check_sizes() const;
    void check_nodes() const;
    void check_children() const;
};

}  // namespace fogtree
