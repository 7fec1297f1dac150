#include "tree/sequence_form.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "tree/counting_sort.hpp"
#include "tree/lift.hpp"
#include "tree/merge.hpp"

namespace fogtree {
namespace {

using Index = std::int32_t;

std::size_t at(Index i) {
    return static_cast<std::size_t>(i);
}

class UnionFind {
public:
    explicit UnionFind(std::size_t n) : up_(n) { std::iota(up_.begin(), up_.end(), 0); }
    Index find(Index i) {
        while (up_[at(i)] != i) {
            up_[at(i)] = up_[at(up_[at(i)])];
            i = up_[at(i)];
        }
        return i;
    }
    void join(Index a, Index b) { up_[at(find(a))] = find(b); }

private:
    std::vector<Index> up_;
};

// For every infoset, which nodes its mover cannot rule out that the others cannot rule out that
// ...: the connected components of "some player cannot tell these two nodes apart", infoset by
// infoset.
std::vector<Index> public_states(const FlatTree& tree) {
    const auto width = at(tree.players);
    Index views = 0;
    for (const Index v : tree.view) views = std::max(views, v + 1);
    // Views of different players have different ids; the mover is part of a public state.
    if (tree.infosets() + at(views) * width > std::size_t{0x7fffffff}) {
        throw std::length_error("the game has too many histories for 32-bit numbers");
    }
    UnionFind sets(tree.infosets() + at(views) * width);
    const auto known = [&](Index view, int mover) {
        return static_cast<Index>(tree.infosets()) + view * static_cast<Index>(width) + mover;
    };
    for (std::size_t h = 0; h < tree.nodes(); ++h) {
        if (tree.player[h] < 0) continue;
        for (std::size_t p = 0; p < width; ++p) {
            if (static_cast<int>(p) == tree.player[h]) continue;
            sets.join(tree.index[h], known(tree.view[h * width + p], tree.player[h]));
        }
    }
    std::vector<Index> publicly(tree.infosets());
    for (std::size_t i = 0; i < publicly.size(); ++i)
        publicly[i] = sets.find(static_cast<Index>(i));
    return publicly;
}

struct Builder {
    const FlatTree& tree;
    SequenceForm form;
    std::vector<Index> node_sequence;  // nodes x players
    std::vector<Index> parent_sequence, first_sequence;

    explicit Builder(const FlatTree& t) : tree(t) {
        form.players = tree.players;
        form.treeplexes.resize(at(tree.players));
        form.place.assign(tree.infosets(), -1);
        form.owner = tree.infoset_player;
        for (Treeplex& plex : form.treeplexes) {
            plex.sequence_infoset.assign(1, -1);
            plex.members.assign(1, 1.0);
        }
    }

    Index add_infoset(std::size_t id, Index above, Index publicly) {
        Treeplex& plex = form.treeplexes[at(tree.infoset_player[id])];
        const Index actions = tree.infoset_actions[id];
        if (actions == 1) return above;  // forced: the action adds nothing to the sequence
        const auto first = static_cast<Index>(plex.sequences());
        form.place[id] = static_cast<Index>(plex.infosets.size());
        plex.infosets.push_back({actions, first, above, publicly, 1.0});
        plex.sequence_infoset.insert(plex.sequence_infoset.end(), at(actions), form.place[id]);
        plex.members.insert(plex.members.end(), at(actions), 1.0);
        return first;
    }

    void number_sequences() {
        const auto width = at(tree.players);
        const std::vector<Index> publicly = public_states(tree);
        node_sequence.assign(tree.nodes() * width, 0);
        parent_sequence.assign(tree.infosets(), -1);
        first_sequence.assign(tree.infosets(), -1);
        for (std::size_t h = 0; h < tree.nodes(); ++h) {
            Index* own = &node_sequence[h * width];
            if (h > 0) {
                const auto above = at(tree.parent[h]);
                std::copy_n(&node_sequence[above * width], width, own);
                if (tree.player[above] >= 0) {
                    const auto id = at(tree.index[above]);
                    const bool forced = tree.infoset_actions[id] == 1;
                    own[tree.player[above]] = first_sequence[id] + (forced ? 0 : tree.action[h]);
                }
            }
            if (tree.player[h] < 0) continue;
            const auto id = at(tree.index[h]);
            const Index above = own[tree.player[h]];
            if (parent_sequence[id] == -1) {
                parent_sequence[id] = above;
                first_sequence[id] = add_infoset(id, above, publicly[id]);
            } else if (parent_sequence[id] != above) {
                throw std::invalid_argument(
                    "a player forgets: an information set joins "
                    "histories with different own actions");
            }
        }
    }

    void fold_payoffs() {
        const auto width = at(tree.players);
        std::vector<double> reach(tree.nodes());
        std::vector<Index> ends, spare;
        for (std::size_t h = 0; h < tree.nodes(); ++h) {
            reach[h] = (h == 0 ? 1.0 : reach[at(tree.parent[h])]) * tree.chance[h];
            if (tree.player[h] == kTerminal) ends.push_back(static_cast<Index>(h));
        }
        const auto key = [&](Index h) { return &node_sequence[at(h) * width]; };
        for (std::size_t p = width; p-- > 0;) {
            counting_sort(ends, spare, form.treeplexes[p].sequences(),
                          [&](Index h) { return key(h)[p]; });
        }
        Outcomes& out = form.outcomes;
        for (std::size_t k = 0; k < ends.size(); ++k) {
            const Index h = ends[k];
            if (k == 0 || !std::equal(key(h), key(h) + width, key(ends[k - 1]))) {
                out.sequences.insert(out.sequences.end(), key(h), key(h) + width);
                out.values.insert(out.values.end(), width, 0.0);
            }
            for (std::size_t p = 0; p < width; ++p) {
                out.values[out.values.size() - width + p] +=
                    reach[at(h)] * tree.payoffs[at(tree.index[at(h)]) * width + p];
            }
        }
    }

    void split_by_player() {
        const Outcomes& out = form.outcomes;
        for (std::size_t k = 0; k < out.values.size(); k += 2) {
            const Index own = out.sequences[k], other = out.sequences[k + 1];
            if (out.values[k] != 0) form.payoffs[0].push_back({own, other, out.values[k]});
            if (out.values[k + 1] != 0) form.payoffs[1].push_back({other, own, out.values[k + 1]});
        }
        form.outcomes = {};
    }
};

}  // namespace

std::size_t SequenceForm::nonzeros() const {
    if (players == 2) return std::max(payoffs[0].size(), payoffs[1].size());
    return players == 0 ? 0 : outcomes.values.size() / at(players);
}

std::size_t SequenceForm::bytes() const {
    std::size_t total = (payoffs[0].size() + payoffs[1].size()) * sizeof(Entry) +
                        outcomes.sequences.size() * sizeof(Index) +
                        outcomes.values.size() * sizeof(double) + place.size() * sizeof(Index);
    for (const Treeplex& plex : treeplexes) {
        total += plex.infosets.size() * sizeof(Treeplex::Infoset) +
                 plex.sequences() * (sizeof(Index) + sizeof(double));
    }
    return total;
}

SequenceForm sequence_form(const FlatTree& tree, bool merge) {
    Builder builder(tree);
    builder.number_sequences();
    builder.fold_payoffs();
    if (tree.players != 2) return std::move(builder.form);
    builder.split_by_player();
    if (!merge) return std::move(builder.form);
    SequenceForm form = merge_equal(std::move(builder.form));
    lift_payoffs(form);
    return form;
}

}  // namespace fogtree
