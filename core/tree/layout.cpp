#include "tree/layout.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "common/hash.hpp"
#include "tree/counting_sort.hpp"
#include "tree/index.hpp"

namespace fogtree {
namespace {

// The least multiple of kLaneAlign that is at least n.
Index aligned(Index n) {
    return (n + kLaneAlign - 1) / kLaneAlign * kLaneAlign;
}

// Computes the layout of one player's treeplex.
struct Arranger {
    const Treeplex& plex;
    std::vector<Index> level, rank, bundle;  // per infoset; rank and bundle within its level
    std::vector<std::vector<Index>> levels;  // infosets in order
    std::vector<double> cost;                // per infoset: sequences at and below
    std::vector<Index> part;                 // per infoset, -1 in the trunk
    Index cut = 0;                           // first level below the trunk

    // Finds each information set's level (own decisions above it), arranges each level, and adds up
    // costs from the bottom.
    explicit Arranger(const Treeplex& p) : plex(p) {
        const std::size_t n = plex.infosets.size();
        level.assign(n, 0);
        rank.assign(n, 0);
        bundle.assign(n, 0);
        part.assign(n, 0);
        for (std::size_t i = 0; i < n; ++i) {  // parents come first
            const Index above = parent(i);
            if (above >= 0) level[i] = level[at(above)] + 1;
            if (at(level[i]) >= levels.size()) levels.emplace_back();
            levels[at(level[i])].push_back(static_cast<Index>(i));
        }
        for (auto& sets : levels) arrange(sets);
        cost.resize(n);
        for (std::size_t i = n; i-- > 0;) {
            cost[i] += plex.infosets[i].actions;
            if (parent(i) >= 0) cost[at(parent(i))] += cost[i];
        }
    }

    // The player's information set before information set i; -1: none.
    Index parent(std::size_t i) const {
        return plex.sequence_infoset[at(plex.infosets[i].parent_sequence)];
    }

    // Sorts the information sets of a level: those that share public knowledge (a bundle) next to
    // each other, in the order of their parents. Sets `bundle` and `rank`.
    void arrange(std::vector<Index>& sets) {
        const auto above_bundle = [&](Index i) {
            const Index above = parent(at(i));
            return above < 0 ? 0 : bundle[at(above)];
        };
        const auto key = [&](Index i) {
            return std::pair{above_bundle(i), plex.infosets[at(i)].publicly};
        };
        const auto place = [&](Index i) {
            const auto& set = plex.infosets[at(i)];
            const Index above = parent(at(i));
            if (above < 0) return std::tuple{key(i), 0, 0, i};
            return std::tuple{key(i), set.parent_sequence - plex.infosets[at(above)].first_sequence,
                              rank[at(above)], i};
        };
        std::sort(sets.begin(), sets.end(), [&](Index a, Index b) { return place(a) < place(b); });
        for (std::size_t k = 0; k < sets.size(); ++k) {
            bundle[at(sets[k])] =
                k == 0 ? 0 : bundle[at(sets[k - 1])] + (key(sets[k]) != key(sets[k - 1]));
        }
        for (std::size_t k = 0; k < sets.size(); ++k) rank[at(sets[k])] = static_cast<Index>(k);
    }

    // Divides the bundles of one level, in order, among `parts` parts of about equal cost. Writes
    // the part of each of the level's information sets to `share`, and returns the largest cost of
    // a part.
    double deal(std::size_t at_level, int parts, std::vector<Index>& share) const {
        const auto& sets = levels[at_level];
        double total = 0, done = 0, mine = 0, largest = 0;
        for (const Index i : sets) total += cost[at(i)];
        share.assign(sets.size(), 0);
        Index now = 0;
        for (std::size_t k = 0; k < sets.size(); ++k) {
            const bool starts = k > 0 && bundle[at(sets[k])] != bundle[at(sets[k - 1])];
            if (starts && now + 1 < parts && done >= total * (now + 1) / parts) {
                ++now;
                mine = 0;
            }
            share[k] = now;
            done += cost[at(sets[k])];
            mine += cost[at(sets[k])];
            largest = std::max(largest, mine);
        }
        return largest;
    }

    // Cuts the tree into parts (`cut`, `part`), at the level for which the cost of the trunk above
    // it and of the largest part is least.
    void choose_parts(int parts) {
        if (parts <= 1 || levels.empty()) return;
        double best = -1, above = 0;
        std::vector<Index> share;
        for (std::size_t l = 0; l < levels.size(); ++l) {
            const double slowest = above + deal(l, parts, share);
            if (best < 0 || slowest < best) {
                best = slowest;
                cut = static_cast<Index>(l);
            }
            for (const Index i : levels[l]) above += plex.infosets[at(i)].actions;
        }
        deal(at(cut), parts, share);
        for (std::size_t k = 0; k < share.size(); ++k) part[at(levels[at(cut)][k])] = share[k];
        for (std::size_t l = at(cut) + 1; l < levels.size(); ++l) {
            for (const Index i : levels[l]) part[at(i)] = part[at(parent(at(i)))];
        }
    }

    // Gives every sequence its position, group by group.
    Layout lay_out(int parts) {
        Layout out;
        out.parts = parts;
        out.position.assign(plex.sequences(), 0);
        out.infoset_lane.assign(plex.infosets.size(), 0);
        Index next = kLaneAlign;  // the empty sequence and kNowhere have a vector of their own
        for (std::size_t l = 0; l < levels.size(); ++l) {
            std::map<Index, std::vector<Index>> by_actions;
            for (const Index i : levels[l]) by_actions[plex.infosets[at(i)].actions].push_back(i);
            for (const auto& [actions, sets] : by_actions) {
                Group group{static_cast<Index>(l),         actions, 0, next,
                            static_cast<Index>(out.lanes), {}};
                add_lanes(out, group, sets);
                next += group.stride * actions;
                if (static_cast<Index>(l) < cut) ++out.trunk_groups;
                out.groups.push_back(std::move(group));
            }
        }
        out.size = at(next + kLaneAlign);  // tiles may read past the end
        return out;
    }

    // Gives the information sets of a group their lanes, part by part, with padding between parts.
    void add_lanes(Layout& out, Group& group, const std::vector<Index>& sets) {
        std::size_t k = 0;
        std::vector<Index> lane_of(sets.size());
        for (Index p = 0; p < out.parts; ++p) {
            group.part_begin.push_back(group.stride);
            const bool trunk = group.level < cut;
            Index used = group.stride;
            while (k < sets.size() && (trunk || part[at(sets[k])] == p)) lane_of[k++] = used++;
            group.stride = aligned(used);
        }
        group.part_begin.push_back(group.stride);
        out.lanes += at(group.stride);
        out.lane_parent.resize(out.lanes, kNowhere);
        out.lane_copies.resize(out.lanes, 0.0);
        out.lane_bundle.resize(out.lanes, -1);
        for (k = 0; k < sets.size(); ++k) {
            const auto& set = plex.infosets[at(sets[k])];
            const auto lane = at(group.first_lane + lane_of[k]);
            out.lane_parent[lane] = out.position[at(set.parent_sequence)];
            out.lane_copies[lane] = set.copies;
            out.infoset_lane[at(sets[k])] = static_cast<Index>(lane);
            out.lane_bundle[lane] = bundle[at(sets[k])];
            for (Index a = 0; a < group.actions; ++a) {
                out.position[at(set.first_sequence + a)] =
                    group.first + a * group.stride + lane_of[k];
            }
        }
    }
};

// For every position the number of its neighbourhood, equal for one action of one bundle; -1:
// padding.
std::vector<Index> neighbourhoods(const Layout& layout) {
    std::vector<Index> id(layout.size, -1);
    Index next = 0;
    id[0] = next++;
    for (const Group& group : layout.groups) {
        for (Index a = 0; a < group.actions; ++a) {
            Index last = -1;
            for (Index lane = 0; lane < group.stride; ++lane) {
                const Index bundle = layout.lane_bundle[at(group.first_lane + lane)];
                if (bundle < 0) continue;
                if (bundle != last) ++next;
                last = bundle;
                id[at(group.first + a * group.stride + lane)] = next;
            }
            ++next;
        }
    }
    return id;
}

// A hash table of the vectors of payoffs in `values`, so that equal vectors are stored once.
class KeptVectors {
public:
    KeptVectors(std::vector<double>& values, int width) : values_(values), width_(at(width)) {}

    // Stores a vector if it is new, and returns where it begins in `values`.
    Index keep(const double* vector) {
        if (2 * (count_ + 1) > slots_.size()) grow();
        std::size_t slot = place(vector);
        if (slots_[slot] < 0) {
            slots_[slot] = static_cast<Index>(values_.size());
            values_.insert(values_.end(), vector, vector + width_);
            ++count_;
        }
        return slots_[slot];
    }

private:
    // The slot of a vector, or the free one that it would get.
    std::size_t place(const double* vector) const {
        std::uint64_t hash = 0;
        for (std::size_t i = 0; i < width_; ++i) {
            hash = combine_hashes(hash, std::bit_cast<std::uint64_t>(vector[i]));
        }
        std::size_t slot = static_cast<std::size_t>(hash) & (slots_.size() - 1);
        while (slots_[slot] >= 0 &&
               std::memcmp(&values_[at(slots_[slot])], vector, width_ * sizeof(double)) != 0) {
            slot = (slot + 1) & (slots_.size() - 1);
        }
        return slot;
    }

    // Doubles the hash table.
    void grow() {
        const std::vector<Index> old = std::exchange(slots_, {});
        slots_.assign(std::max<std::size_t>(64, 2 * old.size()), -1);
        for (const Index begin : old) {
            if (begin >= 0) slots_[place(&values_[at(begin)])] = begin;
        }
    }

    std::vector<double>& values_;
    std::size_t width_, count_ = 0;
    std::vector<Index> slots_;  // a power of two of them, at most half full; -1: empty
};

// Cuts the payoffs of one player into tiles.
struct Tiler {
    Tiles out;
    std::vector<Index> row_of;   // the neighbourhood of each own position
    std::vector<Entry> entries;  // payoffs between positions, in the order of rows
    std::vector<Index> first;    // per position: its first entry; one more at the end
    KeptVectors kept;
    std::vector<Entry> gathered;  // of one tile
    std::vector<double> vector;   // of one column

    // Translates payoffs from sequences to positions and sorts them by own position.
    Tiler(const Layout& own, const Layout& other, const std::vector<Entry>& payoffs, int width)
        : row_of(neighbourhoods(own)), first(own.size + 1, 0), kept(out.values, width) {
        out.width = width;
        entries.reserve(payoffs.size());
        for (const Entry& e : payoffs) {
            entries.push_back({own.position[at(e.row)], other.position[at(e.column)], e.value});
        }
        std::vector<Entry> spare;
        counting_sort(entries, spare, own.size, [](const Entry& e) { return e.row; });
        for (const Entry& e : entries) ++first[at(e.row) + 1];
        std::partial_sum(first.begin(), first.end(), first.begin());
    }

    // Adds the tile of `length` neighbouring rows from `row` on, with all their payoffs. Rows
    // before `row_end` may be written by the tile's kernel.
    void add_tile(Index row, Index length, Index row_end) {
        gathered.assign(entries.begin() + first[at(row)],
                        entries.begin() + first[at(row + length)]);
        std::sort(gathered.begin(), gathered.end(), [](const Entry& a, const Entry& b) {
            return std::pair(a.column, a.row) < std::pair(b.column, b.row);
        });
        Tile tile{row, length, static_cast<Index>(out.terms.size()), 0, row + out.width <= row_end};
        for (std::size_t k = 0; k < gathered.size();) {
            const Index column = gathered[k].column;
            vector.assign(at(out.width), 0.0);
            for (; k < gathered.size() && gathered[k].column == column; ++k) {
                vector[at(gathered[k].row - row)] += gathered[k].value;
            }
            out.terms.push_back({column, kept.keep(vector.data())});
        }
        tile.end = static_cast<Index>(out.terms.size());
        out.tiles.push_back(tile);
        out.cost +=
            4.0 + static_cast<double>(tile.end - tile.begin) * std::max(1.0, out.width / 8.0);
    }

    // Cuts the lanes [begin, end) of a group into tiles of neighbours.
    void tile_lanes(const Group& group, Index begin, Index end) {
        for (Index a = 0; a < group.actions; ++a) {
            const Index base = group.first + a * group.stride;
            for (Index lane = begin; lane < end;) {
                if (row_of[at(base + lane)] < 0) {  // padding: its values must be 0 all the same
                    ++lane;
                    continue;
                }
                Index length = 1;
                while (length < out.width && lane + length < end &&
                       row_of[at(base + lane + length)] == row_of[at(base + lane)]) {
                    ++length;
                }
                add_tile(base + lane, length, base + end);
                lane += length;
            }
        }
    }
};

}  // namespace

// The layout of a player's sequences.
Layout make_layout(const Treeplex& plex, int parts) {
    Arranger arranger(plex);
    arranger.choose_parts(parts);
    return arranger.lay_out(parts);
}

// The payoffs of a player against the other's positions, as tiles.
Tiles make_tiles(const Layout& own, const Layout& other, const std::vector<Entry>& entries,
                 int width) {
    Tiler tiler(own, other, entries, width);
    auto& out = tiler.out;
    out.part_begin.push_back(0);
    tiler.add_tile(0, 1, kLaneAlign);  // the empty sequence
    for (Index g = 0; g < own.trunk_groups; ++g) {
        tiler.tile_lanes(own.groups[at(g)], 0, own.groups[at(g)].stride);
    }
    for (Index p = 0; p < own.parts; ++p) {
        out.part_begin.push_back(static_cast<Index>(out.tiles.size()));
        for (std::size_t g = at(own.trunk_groups); g < own.groups.size(); ++g) {
            const Group& group = own.groups[g];
            tiler.tile_lanes(group, group.part_begin[at(p)], group.part_begin[at(p) + 1]);
        }
    }
    out.part_begin.push_back(static_cast<Index>(out.tiles.size()));
    return std::move(out);
}

}  // namespace fogtree
