// Builds the sequence form of a game from a walk over its histories, which need not be kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tree/sequence_form.hpp"

namespace fogtree {

// Replaces entries with the same row and column, which must be neighbours, by one with their sum;
// removes entries that are 0.
void add_equal(std::vector<Entry>& entries);

// A union-find structure: disjoint sets of the numbers 0, 1, ..., each with a representative.
class JoinedSets {
public:
    std::int32_t add();
    std::int32_t find(std::int32_t i);
    // Unites the sets of a and b; the representative is that of b's set.
    void join(std::int32_t a, std::int32_t b);
    std::size_t size() const { return up_.size(); }

private:
    std::vector<std::int32_t> up_;
};

// Takes the nodes of a walk one by one, parents before children, and then gives the sequence form.
// `sequences` below has the number of each player's sequence at a node.
class FormBuilder {
public:
    explicit FormBuilder(int players);

    // Adds a decision node: its information set, its mover and number of actions, the players'
    // sequences, and the number of each player's view, that is, of what it remembers.
    void decide(std::int32_t infoset, int player, std::int32_t actions,
                const std::int32_t* sequences, const std::int32_t* views);
    // The number of the mover's sequence after an action at an information set that was added.
    std::int32_t after(std::int32_t infoset, std::int32_t action) const {
        const Met& met = met_[static_cast<std::size_t>(infoset)];
        return met.first + (met.forced ? 0 : action);
    }
    // Adds a terminal node: the players' sequences, the product of the chance probabilities on the
    // way (`reach`), one payoff per player.
    void end(const std::int32_t* sequences, double reach, const double* payoffs);

    // Whether there are two players and their payoffs are exact opposites at all terminal nodes.
    bool opposite() const { return players_ == 2 && second_.empty(); }
    // The sequence form; nothing can be added afterwards.
    SequenceForm finish();

private:
    struct Met {              // an information set that the walk has met
        std::int32_t parent;  // sequence above; -1: not met yet
        std::int32_t first;   // sequence of the first action
        std::int32_t joined;  // its number in `known_together_`
        bool forced;
    };

    std::int32_t add_infoset(std::int32_t infoset, int player, std::int32_t actions,
                             std::int32_t above);
    void join_public(const Met& met, int player, const std::int32_t* views);
    void number_public_states();
    void fold_two();
    void fold_many();

    int players_;
    SequenceForm form_;
    std::vector<Met> met_;

    // The connected components of "some player cannot tell these two nodes apart", information set
    // by information set. Views of different players have different numbers; the mover is part of
    // a public state.
    JoinedSets known_together_;
    std::vector<std::int32_t> view_joined_;  // by view and mover; -1: not met

    // Terminal nodes of two players, in pieces that need not be moved as they become more. Player
    // 1's payoffs are kept only if they are not the opposites of player 0's everywhere.
    std::vector<std::vector<Entry>> ends_;
    std::vector<double> second_;
    std::size_t end_count_ = 0;
    Outcomes many_;  // terminal nodes of other numbers of players
};

}  // namespace fogtree
