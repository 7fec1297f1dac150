// The memory layout of sequences, in which an iteration is a few plain vector loops.
//
// Information sets of one level and one number of actions form a *group*, stored action by action:
// all first actions side by side, then all second actions, ... One information set is a *lane* of
// its group. Lanes that share what is publicly known stand next to each other, in the order of
// their parents, so that a few neighbours at a time (a *tile*) see payoffs against much the same
// positions of the opponent. Groups are cut into the same number of
// *parts*; a part's lanes hang below its own lanes only, down to the trunk, so that parts can be
// worked on in parallel.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tree/sequence_form.hpp"

namespace fogtree {

inline constexpr std::int32_t kLaneAlign = 16;  // floats in the widest vector

// Information sets of one level with the same number of actions.
struct Group {
    std::int32_t level;
    std::int32_t actions;
    std::int32_t stride;                   // lanes, padding included
    std::int32_t first;                    // position of lane 0 of action 0
    std::int32_t first_lane;               // number of lane 0 among all of the player's lanes
    std::vector<std::int32_t> part_begin;  // parts + 1, aligned, in lanes of this group
};

// The positions of all sequences of one player.
struct Layout {
    std::vector<Group> groups;      // top level first
    std::int32_t trunk_groups = 0;  // groups above the cut, worked on by one thread
    std::int32_t parts = 1;
    std::size_t size = 0;  // positions, padding included
    std::size_t lanes = 0;
    std::vector<std::int32_t> position;      // per sequence; the empty one is at 0
    std::vector<std::int32_t> lane_parent;   // per lane: position of the parent sequence
    std::vector<double> lane_copies;         // per lane: Treeplex::Infoset::copies; 0: padding
    std::vector<std::int32_t> infoset_lane;  // per information set
    // Per lane: the number of its bundle, the lanes of a level that share what is publicly known;
    // -1: padding.
    std::vector<std::int32_t> lane_bundle;
};

// A position that belongs to no sequence; arrays are always 0 there.
inline constexpr std::int32_t kNowhere = 1;

// The layout of a player's sequences, cut into `parts`.
Layout make_layout(const Treeplex& plex, int parts);

// One player's payoffs are stored as tiles: `width` neighbouring own positions and, for each
// position of the other player with a payoff against one of them, a term with a vector of `width`
// payoffs. Equal vectors are stored once.
struct Term {
    std::int32_t column;  // position of the other player
    std::int32_t values;  // where its vector begins in `values`
};

// Neighbouring rows and the terms that are added up for them.
struct Tile {
    std::int32_t row;         // first own position
    std::int32_t length;      // how many own positions; the rest of the tile is zero
    std::int32_t begin, end;  // terms
    bool whole;               // `width` results may be written, though there are only `length`
};

// All tiles of one player, with their terms and payoff vectors.
struct Tiles {
    int width = 4;
    std::vector<Tile> tiles;
    std::vector<Term> terms;
    std::vector<double> values;
    std::vector<std::int32_t> part_begin;  // first tile of the trunk, of each part, and the end
    double cost = 0;                       // estimate, to choose a width
};

// The payoffs `entries` of a player against the other's positions, as tiles of `width` rows.
Tiles make_tiles(const Layout& own, const Layout& other, const std::vector<Entry>& entries,
                 int width);

}  // namespace fogtree
