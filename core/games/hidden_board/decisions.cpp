#include "games/hidden_board/decisions.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>

namespace fogtree::hidden_board {

// Fills the tables for all sets of marks. A set wins if one of its marks completes the goal.
BoardFacts::BoardFacts(const HiddenBoard& board)
    : squares_(board.squares()), abrupt_(board.abrupt()) {
    if (squares_ < 4 || squares_ > kMostDecidedSquares || board.plies() != squares_) {
        throw std::invalid_argument("best responses are for whole boards of 4 to 10 squares");
    }
    all_ = static_cast<Marks>((1u << squares_) - 1);
    won_.assign(2 * (all_ + 1u), 0);
    for (int player = 0; player < 2; ++player) {
        for (unsigned marks = 1; marks <= all_; ++marks) {
            for (unsigned left = marks; left != 0; left &= left - 1) {
                if (board.goal().reached(marks, player, std::countr_zero(left))) {
                    won_[static_cast<std::size_t>(player) * (all_ + 1u) + marks] = 1;
                    break;
                }
            }
        }
    }
    fill_outcomes();
}

// Fills the payoffs that both players' marks determine. Marks are never removed: a player who would
// not win with all free squares never wins. If neither can win, the game is a draw; if one cannot,
// the other wins in games without draws.
void BoardFacts::fill_outcomes() {
    bool draws = false;
    for (unsigned first = 0; first <= all_; ++first) {
        draws = draws || (!won(0, first) && !won(1, all_ & ~first));
    }
    outcome_.assign(std::size_t{1} << (2 * squares_), kOpen);
    for (unsigned first = 0; first <= all_; ++first) {
        const unsigned rest = all_ & ~first;
        for (unsigned second = rest;; second = (second - 1) & rest) {
            const bool can_first = won(0, all_ & ~second), can_second = won(1, rest);
            int payoff = kOpen;
            if (!can_first && !can_second) payoff = 0;
            if (!draws && can_first != can_second) payoff = can_first ? 1 : -1;
            if (won(0, first)) payoff = 1;
            if (won(1, second)) payoff = -1;
            outcome_[static_cast<std::size_t>(first) << squares_ | second] =
                static_cast<std::int8_t>(payoff);
            if (second == 0) break;
        }
    }
}

// Whether a player can have these marks and `more` others on squares of `open` without having won.
// Tries both for the lowest open square: the player has it or not. Adding marks never undoes a win,
// so that a set that has won is given up at once.
bool BoardFacts::can_have(int player, unsigned marks, unsigned open, int more) const {
    if (more <= 0) return more == 0 && !won(player, marks);
    if (std::popcount(open) < more || won(player, marks)) return false;
    const unsigned bit = open & (0u - open);
    return can_have(player, marks | bit, open ^ bit, more - 1) ||
           can_have(player, marks, open ^ bit, more);
}

// Where a player stands who is to move: own squares and those that the other had, and the fewest
// marks that the other can have. Fewer marks never end a game earlier, so they decide whether the
// player can stand here.
struct Decisions::Place {
    unsigned mine = 0, known = 0;
    int others = 0;  // marks of the other
    int tries = 0;   // of the other, in the abrupt game

    // Before the player's first move: the second player's opponent has made one mark.
    static Place first(int player) { return {0, 0, player, player}; }
    // The squares where the player met marks of the other.
    unsigned found() const { return known & ~mine; }
    // Squares without a mark.
    int free(const BoardFacts& facts) const {
        return facts.squares() - std::popcount(mine) - others;
    }
    // Whether a game can come here: there is a free square, and neither has won, given that the
    // other has the squares found and `hidden` marks more on squares that were not tried.
    bool possible(const BoardFacts& facts, int player) const {
        const int hidden = others - std::popcount(found());
        return free(facts) > 0 && !facts.won(player, mine) &&
               facts.can_have(1 - player, found(), facts.all() & ~known, hidden);
    }
    // Whether what is decided here can change the end.
    bool matters(const BoardFacts& facts, int player) const {
        return facts.abrupt() ? std::popcount(facts.all() & ~known) > 1
                              : free(facts) >= facts.last_free(player);
    }
    // Whether the next try can have this answer: a square can be taken only if the other can have
    // more marks than the player has found.
    bool answered(const BoardFacts& facts, bool taken) const {
        return !taken || std::popcount(found()) < (facts.abrupt() ? tries : others);
    }
    // The place after the player tried the square `bit` with this answer and, if that ended the
    // turn, the other moved.
    Place after(const BoardFacts& facts, unsigned bit, bool taken) const {
        Place next = *this;
        next.known |= bit;
        if (!taken) next.mine |= bit;
        if (facts.abrupt()) {
            ++next.tries;
            // The other can waste a try on each mark that was there before it.
            const int not_wasted = next.tries - std::popcount(next.mine);
            next.others = std::max({others, std::popcount(next.found()), not_wasted});
        } else if (!taken) {
            ++next.others;
        }
        return next;
    }

    // Calls `visit(bit, taken, next)` for every try and answer after which the player moves again.
    template <class Visit>
    void each(const BoardFacts& facts, int player, Visit&& visit) const {
        for (unsigned open = facts.all() & ~known; open != 0; open &= open - 1) {
            for (const bool taken : {false, true}) {
                if (!answered(facts, taken)) continue;
                const Place next = after(facts, open & (0u - open), taken);
                if (next.possible(facts, player)) visit(open & (0u - open), taken, next);
            }
        }
    }
    // The number of information sets from here on, this one included.
    std::uint64_t count(const BoardFacts& facts, int player) const {
        std::uint64_t sum = 1;
        each(facts, player,
             [&](unsigned, bool, const Place& next) { sum += next.count(facts, player); });
        return sum;
    }
};

// Builds the tree of all decisions, depth first.
Decisions::Decisions(const BoardFacts& facts, int player) : facts_(facts), player_(player) {
    nodes_.emplace_back();
    grow(0, Place::first(player));
    nodes_.shrink_to_fit();
    met_.shrink_to_fit();
}

// The number of all information sets of a player, counted by a walk that stores nothing.
std::uint64_t Decisions::count_all(const BoardFacts& facts, int player) {
    return Place::first(player).count(facts, player);
}

// Adds a decision's slots, one for each square to try, and its children, two for each slot; then
// those of the children that can be met and matter. The others keep first_slot -1. If no child
// matters, none is stored: `next` and `again`, after the first square, stand for all, because it
// depends only on how many squares are left.
void Decisions::grow(std::int32_t number, const Place& place) {
    const auto at = static_cast<std::size_t>(number);
    const unsigned open = facts_.all() & ~place.known;
    nodes_[at].first_slot = static_cast<std::int32_t>(slots_);
    met_.push_back(number);
    slots_ += static_cast<std::size_t>(std::popcount(open));
    const Place next = place.after(facts_, open & (0u - open), false);
    const Place again = place.after(facts_, open & (0u - open), true);
    if (!next.matters(facts_, player_) && !again.matters(facts_, player_)) return;
    const std::size_t first = nodes_.size();
    nodes_.resize(first + 2 * static_cast<std::size_t>(std::popcount(open)));
    if (nodes_.size() > std::numeric_limits<std::int32_t>::max()) {
        throw std::length_error("the board has too many decisions");
    }
    nodes_[at].first_child = static_cast<std::int32_t>(first);
    std::size_t child = first;
    for (unsigned rest = open; rest != 0; rest &= rest - 1) {
        for (const bool taken : {false, true}) {
            const unsigned bit = rest & (0u - rest);
            nodes_[child].marks = static_cast<Marks>(taken ? place.mine : place.mine | bit);
            nodes_[child++].known = static_cast<Marks>(place.known | bit);
        }
    }
    place.each(facts_, player_, [&](unsigned bit, bool taken, const Place& then) {
        if (!then.matters(facts_, player_)) return;
        const int rank = std::popcount(open & (bit - 1));
        const std::size_t at_child = first + 2 * static_cast<std::size_t>(rank) + (taken ? 1 : 0);
        nodes_[at_child].parent = number;
        grow(static_cast<std::int32_t>(at_child), then);
    });
}

// Writes the tries before a decision, going up to the root: a try adds one square to `known`, and
// one to `marks` if it was free. Returns how many there are.
int Decisions::tried(const Decision& decision, std::uint8_t* out) const {
    int tries = 0;
    for (const Decision* here = &decision; here->parent >= 0;) {
        const Decision& before = nodes_[static_cast<std::size_t>(here->parent)];
        const int square = std::countr_zero(static_cast<unsigned>(here->known ^ before.known));
        const bool taken = here->marks == before.marks;
        out[tries++] = static_cast<std::uint8_t>(2 * square + (taken ? 1 : 0));
        here = &before;
    }
    std::reverse(out, out + tries);
    return tries;
}

// The slot of the last try before a decision, -1 if there is none: the parent's slots follow the
// order of its open squares.
std::int64_t Decisions::slot_before(const Decision& decision) const {
    if (decision.parent < 0) return -1;
    const Decision& before = nodes_[static_cast<std::size_t>(decision.parent)];
    const auto bit = static_cast<unsigned>(decision.known ^ before.known);
    const unsigned open = facts_.all() & ~static_cast<unsigned>(before.known);
    return before.first_slot + std::popcount(open & (bit - 1));
}

}  // namespace fogtree::hidden_board
