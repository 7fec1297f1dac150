#include "tree/form_builder.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "tree/counting_sort.hpp"
#include "tree/index.hpp"

namespace fogtree {
namespace {

constexpr std::size_t kPiece = 1 << 16;  // terminal nodes in one piece of `ends_`

}  // namespace

// Adds up neighbours with the same row and column, and removes zeros. Works in place: the first
// `kept` entries are done.
void add_equal(std::vector<Entry>& entries) {
    std::size_t kept = 0;
    for (const Entry& e : entries) {
        Entry* last = kept > 0 ? &entries[kept - 1] : nullptr;
        if (last != nullptr && last->row == e.row && last->column == e.column) {
            last->value += e.value;
        } else {
            entries[kept++] = e;
        }
    }
    entries.resize(kept);
    std::erase_if(entries, [](const Entry& e) { return e.value == 0; });
}

// Adds the next number, alone in its set, and returns it.
Index JoinedSets::add() {
    up_.push_back(static_cast<Index>(up_.size()));
    return up_.back();
}

// The representative of a number's set; shortens the way up as it goes (path halving).
Index JoinedSets::find(Index i) {
    while (up_[at(i)] != i) {
        up_[at(i)] = up_[at(up_[at(i)])];
        i = up_[at(i)];
    }
    return i;
}

// Unites two sets; the representative is that of b's set.
void JoinedSets::join(Index a, Index b) {
    up_[at(find(a))] = find(b);
}

// Every player has the empty sequence, number 0, which belongs to no information set (-1).
FormBuilder::FormBuilder(int players) : players_(players) {
    form_.players = players;
    form_.treeplexes.resize(at(players));
    for (Treeplex& plex : form_.treeplexes) {
        plex.sequence_infoset.assign(1, -1);
        plex.members.assign(1, 1.0);
    }
}

// Adds a decision node, and its information set when it is met first. Later nodes of it must have
// the same sequence of the mover, or the game is without perfect recall and cannot have a sequence
// form.
void FormBuilder::decide(Index infoset, int player, Index actions, const Index* sequences,
                         const Index* views) {
    const Index above = sequences[player];
    if (at(infoset) >= met_.size()) {
        met_.resize(at(infoset) + 1, {-1, 0, 0, false});
        form_.place.resize(met_.size(), -1);
        form_.owner.resize(met_.size(), 0);
    }
    Met& met = met_[at(infoset)];
    if (met.parent < 0) {
        met = {above, add_infoset(infoset, player, actions, above), known_together_.add(),
               actions == 1};
    } else if (met.parent != above) {
        throw std::invalid_argument(
            "a player forgets: an information set joins histories with different own actions");
    }
    join_public(met, player, views);
}

// Adds an information set below the mover's sequence `above`, and returns the sequence of its first
// action. One with a single action gets no place in the treeplex.
Index FormBuilder::add_infoset(Index infoset, int player, Index actions, Index above) {
    form_.owner[at(infoset)] = static_cast<std::int8_t>(player);
    if (actions == 1) return above;  // forced: the action adds nothing to the sequence
    Treeplex& plex = form_.treeplexes[at(player)];
    const auto first = static_cast<Index>(plex.sequences());
    form_.place[at(infoset)] = static_cast<Index>(plex.infosets.size());
    plex.infosets.push_back({actions, first, above, 0, 1.0});
    plex.sequence_infoset.insert(plex.sequence_infoset.end(), at(actions),
                                 form_.place[at(infoset)]);
    plex.members.insert(plex.members.end(), at(actions), 1.0);
    return first;
}

// Joins the information set with what each other player remembers at this node (`views`): nodes
// that any player cannot tell apart are in one public state. A view counts separately for each
// mover.
void FormBuilder::join_public(const Met& met, int player, const Index* views) {
    for (int p = 0; p < players_; ++p) {
        if (p == player) continue;
        const std::size_t seen = at(views[p]) * at(players_) + at(player);
        if (seen >= view_joined_.size()) view_joined_.resize(2 * seen + 2, -1);
        if (view_joined_[seen] < 0) view_joined_[seen] = known_together_.add();
        known_together_.join(met.joined, view_joined_[seen]);
    }
}

// Gives every information set the number of its public state. Public states are the sets of
// `known_together_`, each numbered by its representative: an information set has its own number, a
// view gets one after those of all information sets.
void FormBuilder::number_public_states() {
    std::vector<Index> number(known_together_.size());
    for (std::size_t i = 0; i < met_.size(); ++i)
        number[at(met_[i].joined)] = static_cast<Index>(i);
    if (met_.size() + view_joined_.size() > std::size_t{0x7fffffff}) {
        throw std::length_error("the game has too many histories for 32-bit numbers");
    }
    for (std::size_t v = 0; v < view_joined_.size(); ++v) {
        if (view_joined_[v] >= 0) {
            number[at(view_joined_[v])] = static_cast<Index>(met_.size() + v);
        }
    }
    for (std::size_t i = 0; i < met_.size(); ++i) {
        if (form_.place[i] < 0) continue;
        auto& set = form_.treeplexes[at(form_.owner[i])].infosets[at(form_.place[i])];
        set.publicly = number[at(known_together_.find(met_[i].joined))];
    }
    known_together_ = {};
    view_joined_ = {};
}

// Stores a terminal node. Of two players, player 1's payoffs are stored only from the first node
// on where they are not the opposites of player 0's; those of all nodes before are then filled in.
void FormBuilder::end(const Index* sequences, double reach, const double* payoffs) {
    if (players_ != 2) {
        many_.sequences.insert(many_.sequences.end(), sequences, sequences + players_);
        for (int p = 0; p < players_; ++p) many_.values.push_back(reach * payoffs[p]);
        return;
    }
    const double first = reach * payoffs[0], second = reach * payoffs[1];
    if (second != -first && second_.empty()) {
        for (const auto& piece : ends_) {
            for (const Entry& e : piece) second_.push_back(-e.value);
        }
        second_.reserve(second_.size() + 1);
    }
    if (second != -first || !second_.empty()) second_.push_back(second);
    if (end_count_++ % kPiece == 0) {
        ends_.emplace_back();
        ends_.back().reserve(kPiece);
    }
    ends_.back().push_back({sequences[0], sequences[1], first});
}

// Numbers the public states, adds up the payoffs of terminal nodes with the same sequences, and
// returns the form.
SequenceForm FormBuilder::finish() {
    number_public_states();
    met_ = {};
    if (players_ == 2) {
        fold_two();
    } else {
        fold_many();
    }
    return std::move(form_);
}

// Fills the payoff matrices of two players from the terminal nodes. Nodes with the same pair of
// sequences become one entry; their payoffs are added in the order of the walk. Player 1's matrix
// has its own sequences as rows.
void FormBuilder::fold_two() {
    const auto fold = [&](std::vector<Entry>& entries) {
        std::vector<Entry> spare;
        counting_sort(entries, spare, form_.treeplexes[1].sequences(),
                      [](const Entry& e) { return e.column; });
        counting_sort(entries, spare, form_.treeplexes[0].sequences(),
                      [](const Entry& e) { return e.row; });
        spare = {};
        add_equal(entries);
    };
    std::vector<Entry>& own = form_.payoffs[0];
    own.reserve(end_count_);
    for (auto& piece : ends_) {
        own.insert(own.end(), piece.begin(), piece.end());
        piece = {};
    }
    std::vector<Entry> other;
    if (!second_.empty()) {
        other = own;
        for (std::size_t k = 0; k < other.size(); ++k) other[k].value = second_[k];
        fold(other);
    }
    fold(own);
    if (second_.empty()) {
        other = own;
        for (Entry& e : other) e.value = -e.value;
    }
    for (Entry& e : other) std::swap(e.row, e.column);
    form_.payoffs[1] = std::move(other);
}

// Adds the payoffs of terminal nodes where all players' sequences are equal. Stable sorts by the
// last player's sequence, then by the one before, and so on make such nodes neighbours.
void FormBuilder::fold_many() {
    const auto width = at(players_);
    std::vector<Index> ends(many_.sequences.size() / width), spare;
    std::iota(ends.begin(), ends.end(), 0);
    const auto key = [&](Index h) { return &many_.sequences[at(h) * width]; };
    for (std::size_t p = width; p-- > 0;) {
        counting_sort(ends, spare, form_.treeplexes[p].sequences(),
                      [&](Index h) { return key(h)[p]; });
    }
    Outcomes& out = form_.outcomes;
    for (std::size_t k = 0; k < ends.size(); ++k) {
        const Index h = ends[k];
        if (k == 0 || !std::equal(key(h), key(h) + width, key(ends[k - 1]))) {
            out.sequences.insert(out.sequences.end(), key(h), key(h) + width);
            out.values.insert(out.values.end(), width, 0.0);
        }
        for (std::size_t p = 0; p < width; ++p) {
            out.values[out.values.size() - width + p] += many_.values[at(h) * width + p];
        }
    }
}

}  // namespace fogtree
