#include "tree/lift.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace fogtree {
namespace {

using Index = std::int32_t;

std::size_t at(Index i) {
    return static_cast<std::size_t>(i);
}

// `line` maps sequences of one player to payoffs against one fixed sequence of the other.
// Sequences of lower information sets have higher numbers, so the deepest decision comes last.
void lift_line(const Treeplex& plex, std::map<Index, double>& line, bool own) {
    for (auto last = line.end(); last != line.begin();) {
        --last;
        const Index sequence = last->first;
        const Index number = plex.sequence_infoset[at(sequence)];
        if (number < 0) return;
        const auto& set = plex.infosets[at(number)];
        auto first = line.lower_bound(set.first_sequence);
        const double value = first->second;
        Index equal = 0;
        for (auto entry = first; entry != line.end() && entry->first <= sequence; ++entry) {
            equal += std::abs(entry->second - value) <= 4e-15 * std::abs(value);
        }
        last = first;  // next time: what comes before this information set
        if (equal != set.actions) continue;
        const auto above = line.erase(first, std::next(line.find(sequence)));
        double& parent = line[set.parent_sequence];
        parent += own ? value * set.copies : value;
        if (std::abs(parent) <= 4e-15 * std::abs(value)) parent = 0;
        last = above;
    }
}

using Entries = std::vector<Entry>;

// Lifts along rows (the other player's decisions) or along columns (the own ones).
void lift(const Treeplex& plex, Entries& entries, bool own) {
    const auto fixed = [own](const Entry& e) { return own ? e.column : e.row; };
    const auto moving = [own](const Entry& e) { return own ? e.row : e.column; };
    std::sort(entries.begin(), entries.end(), [&](const Entry& a, const Entry& b) {
        return std::pair(fixed(a), moving(a)) < std::pair(fixed(b), moving(b));
    });
    Entries out;
    for (std::size_t i = 0; i < entries.size();) {
        const Index line_of = fixed(entries[i]);
        std::map<Index, double> line;
        for (; i < entries.size() && fixed(entries[i]) == line_of; ++i) {
            line[moving(entries[i])] += entries[i].value;
        }
        lift_line(plex, line, own);
        for (const auto& [sequence, value] : line) {
            if (value == 0) continue;
            out.push_back(own ? Entry{sequence, line_of, value} : Entry{line_of, sequence, value});
        }
    }
    entries = std::move(out);
}

}  // namespace

void lift_payoffs(SequenceForm& form) {
    for (std::size_t p = 0; p < 2; ++p) {
        Entries& entries = form.payoffs[p];
        for (std::size_t before = entries.size() + 1; entries.size() < before;) {
            before = entries.size();
            lift(form.treeplexes[1 - p], entries, false);
            lift(form.treeplexes[p], entries, true);
        }
        std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
            return std::pair(a.row, a.column) < std::pair(b.row, b.column);
        });
    }
}

}  // namespace fogtree
