#include "tree/lift.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "tree/counting_sort.hpp"
#include "tree/index.hpp"

namespace fogtree {
namespace {

// One row or column of payoffs: those of all sequences of one player against one fixed sequence of
// the other.
class Line {
public:
    void clear() {
        open_.clear();
        settled_.clear();
    }
    // Adds a payoff; sequences must come in ascending order.
    void add(Index sequence, double value) { open_.push_back({sequence, value}); }

    // Moves payoffs up to the parent sequence where all actions of an information set have the same
    // payoff, up to rounding. `plex`: the treeplex of the sequences; `own`: they are those of the
    // player who gets the payoffs. Sequences of lower information sets have higher numbers, so the
    // deepest decision comes last.
    void lift(const Treeplex& plex, bool own) {
        while (!open_.empty()) {
            const Index number = plex.sequence_infoset[at(open_.back().sequence)];
            if (number < 0) return;
            const auto& set = plex.infosets[at(number)];
            const auto first = place_of(set.first_sequence);
            const double value = first->value;
            const auto equal = std::count_if(first, open_.end(), [&](const Term& term) {
                return std::abs(term.value - value) <= 4e-15 * std::abs(value);
            });
            if (equal == set.actions) {
                open_.erase(first, open_.end());
                add_to_parent(set.parent_sequence, own ? value * set.copies : value, value);
            } else {
                settled_.insert(settled_.end(), std::make_reverse_iterator(open_.end()),
                                std::make_reverse_iterator(first));
                open_.erase(first, open_.end());
            }
        }
    }

    // Calls `take(sequence, value)` for every payoff that is not 0, in order.
    template <class Take>
    void each(Take&& take) const {
        for (const Term& term : open_) {
            if (term.value != 0) take(term.sequence, term.value);
        }
        for (auto term = settled_.rbegin(); term != settled_.rend(); ++term) {
            if (term->value != 0) take(term->sequence, term->value);
        }
    }

private:
    // One sequence's payoff.
    struct Term {
        Index sequence;
        double value;
    };

    // The first open term whose sequence is at least this one.
    std::vector<Term>::iterator place_of(Index sequence) {
        return std::lower_bound(open_.begin(), open_.end(), sequence,
                                [](const Term& term, Index s) { return term.sequence < s; });
    }

    // Adds a payoff to that of the sequence above; a sum that is only rounding, compared to
    // `scale`, becomes 0.
    void add_to_parent(Index parent, double value, double scale) {
        auto place = place_of(parent);
        if (place == open_.end() || place->sequence != parent) {
            place = open_.insert(place, {parent, 0.0});
        }
        place->value += value;
        if (std::abs(place->value) <= 4e-15 * std::abs(scale)) place->value = 0;
    }

    std::vector<Term> open_;     // may still be lifted, in the order of sequences
    std::vector<Term> settled_;  // cannot be lifted, the last sequence first
};

using Entries = std::vector<Entry>;

// Lifts the payoffs of one player above its own decisions (`own`) or above the other player's;
// `plex` has these decisions. Entries must be sorted by column, then row, if `own`, else by row,
// then column.
void lift(const Treeplex& plex, Entries& entries, bool own) {
    const auto fixed = [own](const Entry& e) { return own ? e.column : e.row; };
    std::size_t kept = 0;  // a line never gets longer
    Line line;
    for (std::size_t i = 0; i < entries.size();) {
        const Index line_of = fixed(entries[i]);
        line.clear();
        for (; i < entries.size() && fixed(entries[i]) == line_of; ++i) {
            line.add(own ? entries[i].row : entries[i].column, entries[i].value);
        }
        line.lift(plex, own);
        line.each([&](Index sequence, double value) {
            entries[kept++] =
                own ? Entry{sequence, line_of, value} : Entry{line_of, sequence, value};
        });
    }
    entries.resize(kept);
}

}  // namespace

// Lifts all payoffs of both players, above either's decisions in turn, until nothing changes.
void lift_payoffs(SequenceForm& form) {
    Entries spare;
    for (std::size_t p = 0; p < 2; ++p) {
        Entries& entries = form.payoffs[p];
        const auto sort_by_columns = [&] {
            counting_sort(entries, spare, form.treeplexes[1 - p].sequences(),
                          [](const Entry& e) { return e.column; });
        };
        const auto sort_by_rows = [&] {
            counting_sort(entries, spare, form.treeplexes[p].sequences(),
                          [](const Entry& e) { return e.row; });
        };
        const auto in_order = [](const Entry& a, const Entry& b) {
            return std::pair(a.row, a.column) < std::pair(b.row, b.column);
        };
        if (!std::is_sorted(entries.begin(), entries.end(), in_order)) {
            sort_by_columns();
            sort_by_rows();
        }
        for (std::size_t before = entries.size() + 1; entries.size() < before;) {
            before = entries.size();
            lift(form.treeplexes[1 - p], entries, false);
            sort_by_columns();
            lift(form.treeplexes[p], entries, true);
            sort_by_rows();
        }
    }
}

}  // namespace fogtree
