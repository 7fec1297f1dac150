// A game of Cambia in progress: fixed size, copied by assignment.
//
// The rules are those of Python's fogtree.games.cambia.position, which explains them; tests compare
// the two after every action.
#pragma once

#include <cstdint>
#include <type_traits>

#include "games/cambia/moves.hpp"
#include "games/cambia/rules.hpp"

namespace fogtree::cambia {

// What is to be decided next, by a player or by chance.
enum class Phase : std::uint8_t {
    start,    // of a turn: draw, take the discard or call Cambia
    drawn,    // keep the drawn card or discard it
    snap,     // discard a matching card out of turn, or pass
    ability,  // use the ability of a discarded card
    gap,      // fill the gap of an opponent's snapped card
    starter,  // from here on chance decides: who starts
    deal,
    draw,
    penalty,  // a card for a wrong snap
    over
};

// The complete state of a game.
struct Position {
    // The stock is at the front in no order; the discard at the back, its top at the lowest index.
    Card cards[kMostCards];
    Card hands[kMostPlayers][kHandLimit];
    std::uint8_t seen[kMostPlayers][kHandLimit];  // which players have seen the card, a bit each
    std::uint8_t sizes[kMostPlayers];             // cards in each hand
    std::uint8_t stock_size;
    std::uint8_t discard_size;
    std::int16_t turn;  // turns completed since the deal
    Phase phase;
    std::uint8_t actor;       // the player who decides, or who gets the card that chance draws
    std::int8_t starter;      // the player of turn 0
    std::int8_t caller;       // who called Cambia; -1: nobody
    Card drawn;               // the card that the actor drew and must place; kNoCard: none
    std::uint8_t drawn_seen;  // which players have seen it, a bit each
    bool from_discard;        // whether it was the top discard, not from the stock
    std::uint8_t waiting;     // players who have yet to decide about a snap, a bit each
    std::uint8_t owed;        // penalty cards still to be drawn
    std::int8_t other;        // whose card was snapped, or looked at with a king; -1: nobody's
    std::int8_t slot;         // the slot of that card
    std::int8_t own;          // the own slot looked at with a king; -1: none

    // The position before anything is dealt.
    static Position first(const Rules& rules);

    // Whether the position has exactly the cards of these rules' deck, in hands of allowed size.
    bool fits(const Rules& rules) const;

    bool over() const { return phase == Phase::over; }
    // Whether chance moves next: it draws who starts, or a card.
    bool by_chance() const { return phase >= Phase::starter && phase != Phase::over; }
    // The top card of the discard pile, which must not be empty.
    Card top() const { return cards[kMostCards - discard_size]; }
    // Whose turn it is; during snaps the actor may be somebody else.
    int turn_player(const Rules& rules) const { return (starter + turn) % rules.players; }

    // Legal moves by their number from 0, in the order of their action numbers.
    int move_count(const Rules& rules) const;
    Move move(const Rules& rules, int number) const;
    bool legal(const Rules& rules, const Move& move) const;

    // The cards that chance may draw from: the stock or, if it is empty, the discard pile without
    // its top card, which will refill the stock.
    int pool_size() const { return stock_size > 0 ? stock_size : discard_size - 1; }
    const Card* pool() const {
        return stock_size > 0 ? cards : cards + kMostCards - discard_size + 1;
    }

    void act(const Rules& rules, const Move& move);       // must be legal
    void start_with(int player);                          // the outcome of Phase::starter
    void draw_at(const Rules& rules, int place);          // draws the card at this index of pool()
    void returns(const Rules& rules, double* out) const;  // every player's payoff at the end
    int total(int player) const;                          // the points in a hand

private:
    // The player with this number among the actor's opponents, in turn order.
    int opponent(const Rules& rules, int number) const {
        const int player = actor + 1 + number;
        return player >= rules.players ? player - rules.players : player;
    }
    // Whether a player's cards may no longer be swapped, because the player called Cambia.
    bool locked(const Rules& rules, int player) const {
        return rules.lock_caller && player == caller;
    }
    // Whether others may snap cards of this player.
    bool may_snap_from(const Rules& rules, int player) const {
        return rules.opponent_snap && (!locked(rules, player) || rules.earlier_defects);
    }
    unsigned start_choices(const Rules& rules) const;
    int ability_count(const Rules& rules, int rank) const;
    Move ability_move(const Rules& rules, int rank, int number) const;
    Move snap_move(const Rules& rules, int number) const;
    void use_drawn(const Rules& rules, const Move& move);
    void use_ability(const Rules& rules, const Move& move);
    void swap_cards(int mine, int player, int theirs);
    void open_snap(const Rules& rules);
    void ask_next(const Rules& rules);
    void snap(const Rules& rules, const Move& move);
    void next_penalty(const Rules& rules);
    void fill_gap(const Rules& rules, int from);
    void next_turn(const Rules& rules);
    void push_discard(Card card);
    void insert(int player, int place, Card card, unsigned who);
    void remove(int player, int place);
};

static_assert(sizeof(Position) <= 200);
static_assert(std::is_trivially_copyable_v<Position>);

}  // namespace fogtree::cambia
