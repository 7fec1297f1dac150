#include "tree/sequence_form.hpp"

#include <algorithm>
#include <utility>

#include "tree/form_builder.hpp"
#include "tree/index.hpp"
#include "tree/lift.hpp"
#include "tree/merge.hpp"

namespace fogtree {
namespace {

// The sequence form of a tree, with no information sets merged.
SequenceForm full_form(const FlatTree& tree) {
    const auto width = at(tree.players);
    FormBuilder builder(tree.players);
    std::vector<Index> sequences(tree.nodes() * width, 0);
    std::vector<double> reach(tree.nodes());
    for (std::size_t h = 0; h < tree.nodes(); ++h) {
        Index* own = &sequences[h * width];
        reach[h] = (h == 0 ? 1.0 : reach[at(tree.parent[h])]) * tree.chance[h];
        if (h > 0) {
            const auto above = at(tree.parent[h]);
            std::copy_n(&sequences[above * width], width, own);
            if (tree.player[above] >= 0) {
                own[tree.player[above]] = builder.after(tree.index[above], tree.action[h]);
            }
        }
        if (tree.player[h] >= 0) {
            builder.decide(tree.index[h], tree.player[h], tree.infoset_actions[at(tree.index[h])],
                           own, &tree.view[h * width]);
        } else if (tree.player[h] == kTerminal) {
            builder.end(own, reach[h], &tree.payoffs[at(tree.index[h]) * width]);
        }
    }
    return builder.finish();
}

}  // namespace

// The number of entries of the larger payoff matrix or, with other than two players, of outcomes.
std::size_t SequenceForm::nonzeros() const {
    if (players == 2) return std::max(payoffs[0].size(), payoffs[1].size());
    return players == 0 ? 0 : outcomes.values.size() / at(players);
}

// The bytes that payoffs, outcomes and treeplexes take.
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

// Merges equal information sets, then lifts payoffs that do not depend on the last action; a form
// of other than two players stays as it is.
SequenceForm merged(SequenceForm form) {
    if (form.players != 2) return form;
    form = merge_equal(std::move(form));
    lift_payoffs(form);
    return form;
}

// The sequence form of a compiled game; `merge`: with equal information sets merged and payoffs
// lifted.
SequenceForm sequence_form(const FlatTree& tree, bool merge) {
    SequenceForm form = full_form(tree);
    return merge ? merged(std::move(form)) : std::move(form);
}

}  // namespace fogtree
