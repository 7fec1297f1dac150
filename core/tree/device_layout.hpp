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

// One player's arrays.
struct DeviceLayout {
    std::size_t size = 0;                // positions, padding included
    std::size_t lanes = 0;               // padding included
    std::vector<std::int32_t> position;  // per sequence
    std::vector<double> members;         // per position; 0 for padding
    // Chunks, top level first: first position, positions between two actions, actions, first lane.
    std::vector<std::int32_t> chunks;
    std::vector<std::int32_t> level_begin;  // first chunk of each level; one more at the end
    std::vector<std::int32_t> lane_parent;  // position of the parent sequence
    std::vector<double> lane_copies;        // 0 for padding
    // Per position: its first term, and its number of terms times 32 plus its place in their
    // vectors.
    std::vector<std::int32_t> rows;
    std::vector<std::int32_t> terms;  // the other's position and where the vector of payoffs begins
    std::vector<double> payoffs;      // vectors
    // Per position: its first child, one more at the end; per child: its lane.
    std::vector<std::int32_t> child_begin, children;
};

// The arrays of one of two players, with payoffs against the other's positions.
DeviceLayout device_layout(const SequenceForm& form, std::size_t player);

}  // namespace fogtree
