#include "tree/device_layout.hpp"

#include <numeric>
#include <utility>

#include "tree/index.hpp"

namespace fogtree {
namespace {

// Cuts the lanes of every group into chunks, four numbers each (see DeviceLayout::chunks).
void add_chunks(const Layout& layout, DeviceLayout& out) {
    Index level = -1;
    for (const Group& group : layout.groups) {
        for (; level < group.level; ++level) {
            out.level_begin.push_back(static_cast<Index>(out.chunks.size() / 4));
        }
        for (Index lane = 0; lane < group.stride; lane += kLaneAlign) {
            for (const Index number :
                 {group.first + lane, group.stride, group.actions, group.first_lane + lane}) {
                out.chunks.push_back(number);
            }
        }
    }
    out.level_begin.push_back(static_cast<Index>(out.chunks.size() / 4));
}

// Lists for every position the lanes whose parent it is (`child_begin`, `children`). Lanes without
// a bundle (-1) are padding.
void add_children(const Layout& layout, DeviceLayout& out) {
    out.child_begin.assign(layout.size + 1, 0);
    for (std::size_t lane = 0; lane < layout.lanes; ++lane) {
        if (layout.lane_bundle[lane] >= 0) ++out.child_begin[at(layout.lane_parent[lane]) + 1];
    }
    std::partial_sum(out.child_begin.begin(), out.child_begin.end(), out.child_begin.begin());
    std::vector<Index> next(out.child_begin.begin(), out.child_begin.end() - 1);
    out.children.resize(at(out.child_begin.back()));
    for (std::size_t lane = 0; lane < layout.lanes; ++lane) {
        if (layout.lane_bundle[lane] < 0) continue;
        out.children[at(next[at(layout.lane_parent[lane])]++)] = static_cast<Index>(lane);
    }
}

// The payoffs as tiles of 16 rows if their vectors have no more numbers than there are terms, else
// as tiles of the width (16, 8 or 4) that takes the fewest bytes.
Tiles smallest_tiles(const Layout& own, const Layout& other, const std::vector<Entry>& entries) {
    Tiles best = make_tiles(own, other, entries, kLaneAlign);
    if (best.values.size() <= best.terms.size()) return best;
    const auto bytes = [](const Tiles& tiles) {
        return tiles.terms.size() * sizeof(Term) + tiles.values.size() * sizeof(double);
    };
    for (const int width : {8, 4}) {
        Tiles tiles = make_tiles(own, other, entries, width);
        if (bytes(tiles) < bytes(best)) best = std::move(tiles);
    }
    return best;
}

// Writes for every position the terms of its tile, packed as DeviceLayout::rows says; a place in
// the tile's vectors is less than 32, the factor of the number of terms.
void add_payoffs(Tiles&& tiles, DeviceLayout& out) {
    out.rows.assign(2 * out.size, 0);
    for (const Tile& tile : tiles.tiles) {
        for (Index k = 0; k < tile.length; ++k) {
            out.rows[2 * at(tile.row + k)] = tile.begin;
            out.rows[2 * at(tile.row + k) + 1] = (tile.end - tile.begin) * 32 + k;
        }
    }
    out.terms.reserve(2 * tiles.terms.size());
    for (const Term& term : tiles.terms) {
        out.terms.push_back(term.column);
        out.terms.push_back(term.values);
    }
    out.payoffs = std::move(tiles.values);
}

}  // namespace

// Copies the player's layout, not cut into parts (parts = 1), and its payoff tiles into flat
// arrays.
DeviceLayout device_layout(const SequenceForm& form, std::size_t player) {
    const Treeplex& plex = form.treeplexes.at(player);
    const Layout own = make_layout(plex, 1), other = make_layout(form.treeplexes[1 - player], 1);
    DeviceLayout out;
    out.size = own.size;
    out.lanes = own.lanes;
    out.position = own.position;
    out.lane_parent = own.lane_parent;
    out.lane_copies = own.lane_copies;
    out.members.assign(own.size, 0.0);
    for (std::size_t s = 0; s < plex.sequences(); ++s) {
        out.members[at(own.position[s])] = plex.members[s];
    }
    add_chunks(own, out);
    add_children(own, out);
    add_payoffs(smallest_tiles(own, other, form.payoffs[player]), out);
    return out;
}

}  // namespace fogtree
