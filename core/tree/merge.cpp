#include "tree/merge.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>

#include "common/hash.hpp"
#include "tree/counting_sort.hpp"
#include "tree/form_builder.hpp"
#include "tree/index.hpp"

namespace fogtree {
namespace {

using Colour = std::uint64_t;

// The bits of a value without the last 4 of its fraction, rounded: sums of the same numbers in
// another order nearly always agree.
Colour rounded(double value) {
    return (std::bit_cast<Colour>(value) + (1ULL << 3)) >> 4;
}

// Colours of the information sets and sequences of both players.
struct Refinement {
    const SequenceForm& form;
    std::array<std::vector<Colour>, 2> colour;    // per infoset
    std::array<std::vector<Colour>, 2> sequence;  // per sequence

    // At first an information set's colour is its player and its number of actions.
    explicit Refinement(const SequenceForm& f) : form(f) {
        for (std::size_t p = 0; p < 2; ++p) {
            for (const auto& set : form.treeplexes[p].infosets) {
                colour[p].push_back(combine_hashes(p, static_cast<Colour>(set.actions)));
            }
            sequence[p].resize(form.treeplexes[p].sequences());
        }
    }

    // A sequence's colour: that of its information set and the number of its action.
    void colour_sequences() {
        for (std::size_t p = 0; p < 2; ++p) {
            const Treeplex& plex = form.treeplexes[p];
            sequence[p][0] = combine_hashes(p, 7);
            for (std::size_t i = 0; i < plex.infosets.size(); ++i) {
                const auto& set = plex.infosets[i];
                for (Index a = 0; a < set.actions; ++a) {
                    sequence[p][at(set.first_sequence + a)] =
                        combine_hashes(colour[p][i], static_cast<Colour>(a));
                }
            }
        }
    }

    // Refines the colours of player p's information sets by the sequence above them and by what can
    // be reached from each action: payoffs and, marked by the number 11, information sets below.
    void step(std::size_t p) {
        const Treeplex& plex = form.treeplexes[p];
        std::vector<Colour> seen(plex.sequences(), 0);  // order does not matter: sums
        for (const Entry& e : form.payoffs[p]) {
            seen[at(e.row)] += combine_hashes(sequence[1 - p][at(e.column)], rounded(e.value));
        }
        for (std::size_t i = 0; i < plex.infosets.size(); ++i) {
            seen[at(plex.infosets[i].parent_sequence)] += combine_hashes(colour[p][i], 11);
        }
        for (std::size_t i = 0; i < plex.infosets.size(); ++i) {
            const auto& set = plex.infosets[i];
            Colour next = combine_hashes(colour[p][i], sequence[p][at(set.parent_sequence)]);
            for (Index a = 0; a < set.actions; ++a)
                next = combine_hashes(next, seen[at(set.first_sequence + a)]);
            colour[p][i] = next;
        }
    }

    // The number of different colours of information sets, both players together.
    std::size_t classes() const {
        std::size_t count = 0;
        for (std::size_t p = 0; p < 2; ++p) {
            std::vector<Colour> sorted = colour[p];
            std::sort(sorted.begin(), sorted.end());
            count += static_cast<std::size_t>(std::unique(sorted.begin(), sorted.end()) -
                                              sorted.begin());
        }
        return count;
    }

    // Refines until the number of colours stays the same; information sets of one colour can then
    // be merged.
    void run() {
        const std::size_t most = colour[0].size() + colour[1].size();
        for (std::size_t before = 0, now = classes(); now != before && now != most;) {
            before = now;
            colour_sequences();
            step(0);
            step(1);
            now = classes();
        }
    }
};

// The classes of information sets, and the merged sequences.
struct Quotient {
    std::array<std::vector<Index>, 2> class_of;      // per infoset
    std::array<std::vector<Index>, 2> first_member;  // per class
    std::array<std::vector<Index>, 2> sequence;      // per sequence: its class's sequence
};

// The classes of information sets with equal colours, and the merged sequences.
Quotient classes_of(const Refinement& refinement) {
    Quotient q;
    for (std::size_t p = 0; p < 2; ++p) {
        const Treeplex& plex = refinement.form.treeplexes[p];
        std::unordered_map<Colour, Index> seen;
        std::vector<Index> first_sequence;
        Index next = 1;
        q.sequence[p].assign(plex.sequences(), 0);
        for (std::size_t i = 0; i < plex.infosets.size(); ++i) {
            const auto& set = plex.infosets[i];
            const auto [where, fresh] = seen.try_emplace(
                refinement.colour[p][i], static_cast<Index>(q.first_member[p].size()));
            if (fresh) {
                q.first_member[p].push_back(static_cast<Index>(i));
                first_sequence.push_back(next);
                next += set.actions;
            }
            q.class_of[p].push_back(where->second);
            for (Index a = 0; a < set.actions; ++a) {
                q.sequence[p][at(set.first_sequence + a)] = first_sequence[at(where->second)] + a;
            }
        }
    }
    return q;
}

// Whether all members of each class agree with its first member: in the number of actions, the
// merged sequence above and, action by action, the payoffs against each of the opponent's merged
// sequences and the classes below. The last two are compared as sums in which each merged sequence
// or class has a weight from a hash.
bool members_agree(const SequenceForm& form, const Quotient& q) {
    const auto weight = [](Index k, Colour salt) {  // in [1, 2), from a hash
        return 1.0 +
               static_cast<double>(combine_hashes(static_cast<Colour>(k), salt) >> 11) * 0x1p-53;
    };
    for (std::size_t p = 0; p < 2; ++p) {
        const Treeplex& plex = form.treeplexes[p];
        std::vector<double> pay(plex.sequences(), 0.0), below(plex.sequences(), 0.0);
        double scale = 0;
        for (const Entry& e : form.payoffs[p]) {
            pay[at(e.row)] += e.value * weight(q.sequence[1 - p][at(e.column)], 3);
            scale = std::max(scale, std::abs(e.value));
        }
        for (std::size_t i = 0; i < plex.infosets.size(); ++i) {
            below[at(plex.infosets[i].parent_sequence)] += weight(q.class_of[p][i], 5);
        }
        for (std::size_t i = 0; i < plex.infosets.size(); ++i) {
            const auto& set = plex.infosets[i];
            const auto& first = plex.infosets[at(q.first_member[p][at(q.class_of[p][i])])];
            if (set.actions != first.actions || q.sequence[p][at(set.parent_sequence)] !=
                                                    q.sequence[p][at(first.parent_sequence)]) {
                return false;
            }
            for (Index a = 0; a < set.actions; ++a) {
                const auto s = at(set.first_sequence + a), r = at(first.first_sequence + a);
                if (std::abs(pay[s] - pay[r]) > 1e-13 * scale) return false;
                if (std::abs(below[s] - below[r]) > 1e-9 * (1 + below[r])) return false;
            }
        }
    }
    return true;
}

// Fills `out` with player p's treeplex with one information set for each class.
void merge_treeplex(const SequenceForm& form, const Quotient& q, std::size_t p, Treeplex& out) {
    const Treeplex& plex = form.treeplexes[p];
    out.sequence_infoset.assign(1, -1);
    out.members.assign(1, 1.0);
    std::vector<Index> publicly;
    for (std::size_t k = 0; k < q.first_member[p].size(); ++k) {
        Treeplex::Infoset set = plex.infosets[at(q.first_member[p][k])];
        set.first_sequence = static_cast<Index>(out.sequences());
        set.parent_sequence = q.sequence[p][at(set.parent_sequence)];
        set.copies = 0;
        out.infosets.push_back(set);
        out.sequence_infoset.insert(out.sequence_infoset.end(), at(set.actions),
                                    static_cast<Index>(k));
        out.members.insert(out.members.end(), at(set.actions), 0.0);
    }
    // Public states that share a class become one; chains end at the smallest.
    std::unordered_map<Index, Index> joined;
    const auto root = [&](Index s) {
        for (auto next = joined.find(s); next != joined.end(); next = joined.find(s))
            s = next->second;
        return s;
    };
    for (std::size_t i = 0; i < plex.infosets.size(); ++i) {
        const auto k = at(q.class_of[p][i]);
        Treeplex::Infoset& set = out.infosets[k];
        for (Index a = 0; a < set.actions; ++a) out.members[at(set.first_sequence + a)] += 1;
        const Index here = root(plex.infosets[i].publicly), there = root(set.publicly);
        if (here != there) joined[std::max(here, there)] = std::min(here, there);
    }
    for (auto& set : out.infosets) {
        set.publicly = root(set.publicly);
        set.copies = out.members[at(set.first_sequence)] / out.members[at(set.parent_sequence)];
    }
}

// Fills player p's payoffs between merged sequences in `out`, taken from the first member of each
// class; removes the payoffs of the full form.
void merge_payoffs(SequenceForm& form, const Quotient& q, std::size_t p, SequenceForm& out) {
    const Treeplex& plex = form.treeplexes[p];
    std::vector<Entry> entries = std::move(form.payoffs[p]), spare;
    std::erase_if(entries, [&](const Entry& e) {
        const Index set = plex.sequence_infoset[at(e.row)];
        return set >= 0 && q.first_member[p][at(q.class_of[p][at(set)])] != set;
    });
    for (Entry& e : entries) {
        e = {q.sequence[p][at(e.row)], q.sequence[1 - p][at(e.column)], e.value};
    }
    counting_sort(entries, spare, out.treeplexes[1 - p].sequences(),
                  [](const Entry& e) { return e.column; });
    counting_sort(entries, spare, out.treeplexes[p].sequences(),
                  [](const Entry& e) { return e.row; });
    add_equal(entries);
    entries.shrink_to_fit();
    out.payoffs[p] = std::move(entries);
}

}  // namespace

// The sequence form with equal information sets merged; `form` itself if none are.
SequenceForm merge_equal(SequenceForm form) {
    Refinement refinement(form);
    refinement.run();
    const Quotient q = classes_of(refinement);
    const bool nothing = q.first_member[0].size() == form.treeplexes[0].infosets.size() &&
                         q.first_member[1].size() == form.treeplexes[1].infosets.size();
    if (nothing || !members_agree(form, q)) return form;

    SequenceForm out;
    out.players = 2;
    out.treeplexes.resize(2);
    out.merged = true;
    for (std::size_t p = 0; p < 2; ++p) {
        merge_treeplex(form, q, p, out.treeplexes[p]);
    }
    for (std::size_t p = 0; p < 2; ++p) merge_payoffs(form, q, p, out);
    out.owner = std::move(form.owner);
    out.place = std::move(form.place);
    for (std::size_t i = 0; i < out.place.size(); ++i) {
        if (out.place[i] >= 0) out.place[i] = q.class_of[at(out.owner[i])][at(out.place[i])];
    }
    return out;
}

}  // namespace fogtree
