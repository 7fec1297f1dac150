// Builds a sequence form from a walk over a game's histories, of which none is kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tree/sequence_form.hpp"

namespace fogtree {

// Makes one entry of those with the same row and column, which must be neighbours; leaves out
// zeros.
void add_equal(std::vector<Entry>& entries);

// Sets of numbers that were joined; numbers are added as they come.
class JoinedSets {
public:
    std::int32_t add();
    std::int32_t find(std::int32_t i);
    void join(std::int32_t a, std::int32_t b);  // b's representative stays
    std::size_t size() const { return up_.size(); }

private:
    std::vector<std::int32_t> up_;
};

// Takes the nodes of a walk one by one, and then gives the sequence form.
class FormBuilder {
public:
    explicit FormBuilder(int players);

    // A decision node: its information set, the players' sequences and what they remember.
    void decide(std::int32_t infoset, int player, std::int32_t actions,
                const std::int32_t* sequences, const std::int32_t* views);
    // The mover's sequence after an action.
    std::int32_t after(std::int32_t infoset, std::int32_t action) const {
        const Met& met = met_[static_cast<std::size_t>(infoset)];
        return met.first + (met.forced ? 0 : action);
    }
    // A terminal node: the players' sequences, the probability of chance, one payoff per player.
    void end(const std::int32_t* sequences, double reach, const double* payoffs);

    // Whether the payoffs of two players were exact opposites everywhere.
    bool opposite() const { return players_ == 2 && second_.empty(); }
    // The sequence form; nothing can be added afterwards.
    SequenceForm finish();

private:
    struct Met {              // an information set
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

    // Terminal nodes of two players, in pieces that need not be moved as they become more; the
    // payoffs of player 1 are kept only if they are not the opposites.
    std::vector<std::vector<Entry>> ends_;
    std::vector<double> second_;
    std::size_t end_count_ = 0;
    Outcomes many_;  // terminal nodes of other numbers of players
};

}  // namespace fogtree
