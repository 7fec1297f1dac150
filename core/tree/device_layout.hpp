// One player's decisions and payoffs as flat arrays for an accelerator, in the layout of
// layout.hpp.
//
// A *chunk* is kLaneAlign neighbouring lanes of a group: what the sweeps of one level divide among
// threads.
#pragma once

#include <cstdint>
#include <vector>

#include "tree/layout.hpp"
#include "tree/sequence_form.hpp"

namespace fogtree {

// One player's arrays. Positions, lanes and groups are those of layout.hpp.
struct DeviceLayout {
    std::size_t size = 0;                // positions, padding included
    std::size_t lanes = 0;               // padding included
    std::vector<std::int32_t> position;  // per sequence
    std::vector<double> members;         // per position: as in Treeplex; 0 for padding
    // Chunks, top level first: first position, positions between two actions, actions, first lane.
    std::vector<std::int32_t> chunks;
    std::vector<std::int32_t> level_begin;  // first chunk of each level; one more at the end
    std::vector<std::int32_t> lane_parent;  // per lane: position of the parent sequence
    std::vector<double> lane_copies;        // per lane: as in Layout; 0 for padding
    // Two numbers per position: its first term, and its number of terms times 32 plus its place in
    // the terms' vectors of payoffs.
    std::vector<std::int32_t> rows;
    // Two numbers per term: a position of the other player, and where the term's vector begins in
    // `payoffs`.
    std::vector<std::int32_t> terms;
    std::vector<double> payoffs;
    // Per position: its first child, one more at the end; per child: its lane.
    std::vector<std::int32_t> child_begin, children;
};

// The arrays of `player` (0 or 1) in a game of two players, with its payoffs against the other
// player's positions.
DeviceLayout device_layout(const SequenceForm& form, std::size_t player);

}  // namespace fogtree
