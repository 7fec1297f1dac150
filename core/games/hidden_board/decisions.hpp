// All decisions of one player on a hidden board that can change how a game ends.
//
// A decision is what the player tried so far, square by square, with the answers. Left out are
// decisions that change nothing: those with one square left to try, and in the classical game those
// before the last free square of the board, on which the mover ends in any case.
#pragma once

#include <cstdint>
#include <vector>

#include "games/hidden_board/rules.hpp"

namespace fogtree::hidden_board {

using Marks = std::uint16_t;  // a bit for each square
inline constexpr int kMostDecidedSquares = 10;

// One decision: a node of the tree of what the player tried.
struct Decision {
    std::int32_t first_slot = -1;   // of its squares to try, in their order; -1: none, the game
                                    // ends before the player moves again, or what it then decides
                                    // changes nothing
    std::int32_t first_child = -1;  // for each slot: after a free square, after a taken one
    std::int32_t parent = -1;
    Marks marks = 0;  // own ones
    Marks known = 0;  // squares tried
};

// Tables for every set of marks: who has won, and which payoff is determined.
class BoardFacts {
public:
    // Throws std::invalid_argument for boards that are too large, or that end before they are full.
    explicit BoardFacts(const HiddenBoard& board);

    int squares() const { return squares_; }
    Marks all() const { return all_; }  // all squares of the board
    bool abrupt() const { return abrupt_; }
    // Whether these marks win for a player.
    bool won(int player, unsigned marks) const { return won_[player * (all_ + 1u) + marks]; }
    // The first player's payoff if both players' marks determine it, whoever gets the free squares;
    // else kOpen.
    static constexpr int kOpen = 2;
    int outcome(unsigned first, unsigned second) const {
        return outcome_[static_cast<std::size_t>(first) << squares_ | second];
    }
    // Whether a player can have these marks and `more` others on squares of `open`, and not have
    // won.
    bool can_have(int player, unsigned marks, unsigned open, int more) const;
    // In the classical game: the number of free squares at a player's last decision that can change
    // the end, 3 for the player who marks the last square of a full board, else 2.
    int last_free(int player) const { return (squares_ - 1) % 2 == player ? 3 : 2; }

private:
    void fill_outcomes();

    int squares_;
    Marks all_;
    bool abrupt_;
    std::vector<std::uint8_t> won_;     // by player, then marks
    std::vector<std::int8_t> outcome_;  // by the first player's marks, then the second's
};

// The tree of one player's decisions, the first of them at node 0.
class Decisions {
public:
    Decisions(const BoardFacts& facts, int player);

    const BoardFacts& facts() const { return facts_; }
    int player() const { return player_; }
    std::size_t size() const { return met_.size(); }  // decisions that can be met
    std::size_t slots() const { return slots_; }      // squares to try, of all decisions
    const std::vector<Decision>& nodes() const { return nodes_; }
    const Decision& node(std::size_t number) const { return nodes_[number]; }
    // The decision with a number from 0 to size() - 1; slots are numbered in the same order.
    const Decision& met(std::size_t number) const {
        return nodes_[static_cast<std::size_t>(met_[number])];
    }
    // Writes the squares tried before a decision: 2 * square, + 1 if the other had it. Returns how
    // many there are.
    int tried(const Decision& decision, std::uint8_t* out) const;
    // The slot of the last try before a decision; -1: there is none.
    std::int64_t slot_before(const Decision& decision) const;
    // The number of all information sets of a player, with those that change nothing.
    static std::uint64_t count_all(const BoardFacts& facts, int player);

private:
    struct Place;
    void grow(std::int32_t node, const Place& place);

    const BoardFacts& facts_;
    int player_;
    std::vector<Decision> nodes_;
    std::vector<std::int32_t> met_;  // the nodes that can be met, in the order of their slots
    std::size_t slots_ = 0;
};

}  // namespace fogtree::hidden_board
