// The sequence form: each player's decisions as a tree of sequences, chance folded into payoffs.
//
// Koller, Megiddo & von Stengel, "Fast algorithms for finding randomized strategies in game trees"
// (1994); von Stengel, "Efficient computation of behavior strategies" (1996).
// Deviations: information sets with a single action are left out (their sequence is that of the
// parent), and information sets that no algorithm can ever tell apart may be merged (merge.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tree/flat_tree.hpp"

namespace fogtree {

// One player's decisions. Sequence 0 is the empty one; the others follow their information sets.
struct Treeplex {
    struct Infoset {
        std::int32_t actions;
        std::int32_t first_sequence;
        std::int32_t parent_sequence;
        std::int32_t publicly;  // number of its public state; a hint for the layout
        double copies;  // how many merged information sets, per parent sequence, it stands for
    };
    std::vector<Infoset> infosets;
    std::vector<std::int32_t> sequence_infoset;  // where its last action is; -1: empty sequence
    std::vector<double> members;  // how many of the game's sequences this one stands for
    std::size_t sequences() const { return sequence_infoset.size(); }
};

// One player's payoff per unit of the opponents' reach. With two players `row` is the own and
// `column` the other's sequence.
struct Entry {
    std::int32_t row;
    std::int32_t column;
    double value;
};

// The payoffs of games with more than two players: a row per distinct tuple of the players'
// sequences.
struct Outcomes {
    std::vector<std::int32_t> sequences;  // outcomes x players
    std::vector<double> values;           // outcomes x players, chance folded in
};

// The sequence form of a game.
struct SequenceForm {
    int players = 0;
    std::vector<Treeplex> treeplexes;
    std::array<std::vector<Entry>, 2> payoffs;  // two players
    Outcomes outcomes;                          // otherwise
    // For every infoset of the flat tree: where it went in its player's treeplex, -1 if forced.
    std::vector<std::int32_t> place;
    std::vector<std::int8_t> owner;  // and whose infoset it is
    bool merged = false;

    std::size_t nonzeros() const;
    std::size_t bytes() const;
};

// The sequence form of a tree; `merge`: as merged() makes it.
SequenceForm sequence_form(const FlatTree& tree, bool merge);

// A form of two players with equal information sets merged and payoffs lifted (lift.hpp); of other
// numbers of players the form itself.
SequenceForm merged(SequenceForm form);

}  // namespace fogtree
