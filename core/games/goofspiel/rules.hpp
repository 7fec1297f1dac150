// The rules of goofspiel for compiling, with the order of actions of the game in Python.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "tree/enumerable_game.hpp"

namespace fogtree::goofspiel {

enum class Order { descending, ascending, random };  // of the prizes

// The rules; a state can be copied and stepped forward.
class Goofspiel {
public:
    static constexpr int kMostPlayers = 2;
    using Cards = std::uint16_t;  // bit k: card k + 1

    // A position between bids, or after the first player's.
    struct State {
        Cards left = 0;                // prizes not turned up yet
        std::array<Cards, 2> hands{};  // each player's cards, without those already bid
        std::int16_t lead = 0;         // points of the first player less those of the second
        std::int8_t prize = 0;         // the one being bid for
        std::int8_t bid = 0;           // the first player's, while the second chooses
        std::int8_t player = kChance;  // who moves
    };

    // Cards 1 to `cards`. `hidden`: a player sees who won a prize, but not the other's bid. `wins`:
    // a game is won or lost, whatever the difference in points.
    Goofspiel(int cards, Order order, bool hidden, bool wins)
        : cards_(cards), order_(order), hidden_(hidden), wins_(wins) {
        if (cards < 2 || cards > 13) throw std::invalid_argument("goofspiel has 2 to 13 cards");
    }

    int players() const { return 2; }
    // All cards in both hands and among the prizes; the first prize is up unless chance turns it.
    State root() const {
        State state;
        state.left = static_cast<Cards>((1 << cards_) - 1);
        state.hands = {state.left, state.left};
        go_on(state);
        return state;
    }
    // Who moves; kChance, or kTerminal at the end.
    int player(const State& state) const { return state.player; }
    // The number of cards that the mover can bid.
    int actions(const State& state) const { return std::popcount(hand(state)); }
    // The number of prizes that chance can turn up, all equally likely.
    int outcomes(const State& state) const { return std::popcount(state.left); }
    double probability(const State& state, int) const { return 1.0 / outcomes(state); }

    // Turns up the n-th of the prizes that are left.
    void deal(State& state, int n) const { turn_up(state, nth(state.left, n)); }
    // Bids the n-th card of the mover's hand; after the second bid the prize is settled.
    void step(State& state, int n) const {
        const int card = nth(hand(state), n);
        if (state.player == 0) {
            state.bid = static_cast<std::int8_t>(card);
            state.player = 1;
            return;
        }
        settle(state, state.bid, card);
        go_on(state);
    }

    // A player's payoff: 1, 0 or -1 for winning, a tie or losing (wins_), else half the lead in
    // points.
    double payoff(const State& state, int player) const {
        const double gain = wins_ ? compare(state.lead, 0) : state.lead / 2.0;
        return player == 0 ? gain : -gain;
    }

    // The label of action or outcome n: the card that is bid, or the prize.
    int label(const State& state, int n) const {
        return nth(state.player == kChance ? state.left : hand(state), n);
    }
    std::string label_text(int card) const { return std::to_string(card); }

    // What a player notices of a step: a prize, the own bid when it is made and, after both bids,
    // the result of the trick; 0, nothing, of the first player's bid before that.
    Token noticed(const State& before, int card, const State&, int player) const {
        if (before.player == kChance) return token(kPrize, card, 0);
        if (before.player == 0) return player == 0 ? token(kBid, card, 0) : 0;
        const int own = player == 0 ? before.bid : card, other = player == 0 ? card : before.bid;
        return token(kTrick, own, hidden_ ? 14 + compare(own, other) + 1 : other);
    }
    // The name of an information set, as in "P0 4:3w 3:": each prize, the own bid and whether it
    // won, lost or tied (w, l, t), or the other's bid (v and a card). A token is its kind in bits
    // 16 and up, a card in bits 8 to 15, and below that the other's card or, from 14 on, lost,
    // tied, won.
    std::string infoset_name(int player, const Tokens& tokens) const {
        std::string name = "P";
        name += std::to_string(player);
        int prize = order_ == Order::descending ? cards_ : 1;
        const auto next_prize = [&] {
            if (order_ == Order::random) return;
            name.append(" ").append(std::to_string(prize)).append(":");
            prize += order_ == Order::descending ? -1 : 1;
        };
        next_prize();
        for (const Token token : tokens) {
            const int card = static_cast<int>(token >> 8 & 0xff), other = token & 0xff;
            if (token >> 16 == kPrize) name.append(" ").append(std::to_string(card)).append(":");
            if (token >> 16 != kTrick) continue;
            name += std::to_string(card);
            if (other < 14) {
                name.append("v").append(std::to_string(other));
            } else {
                name += "ltw"[other - 14];
            }
            next_prize();
        }
        return name;
    }

private:
    enum Kind : Token { kPrize = 1, kBid, kTrick };
    // A token of its parts; see infoset_name().
    static Token token(Kind kind, int card, int other) {
        return kind << 16 | static_cast<Token>(card) << 8 | static_cast<Token>(other);
    }
    // 1 if a is larger, -1 if b is, else 0.
    static int compare(int a, int b) { return (a > b) - (a < b); }

    // The mover's hand.
    static Cards hand(const State& state) {
        return state.hands[static_cast<std::size_t>(state.player)];
    }
    // The n-th card of a set, in ascending order from n = 0.
    static int nth(Cards cards, int n) {
        for (; n > 0; --n) cards &= static_cast<Cards>(cards - 1);
        return std::countr_zero(cards) + 1;
    }
    // A set without one card.
    static Cards without(Cards cards, int card) {
        return static_cast<Cards>(cards & ~(1 << (card - 1)));
    }

    // Turns up a prize, for which the first player bids next.
    static void turn_up(State& state, int prize) {
        state.left = without(state.left, prize);
        state.prize = static_cast<std::int8_t>(prize);
        state.player = 0;
    }
    // Gives the prize to the higher bid, to nobody if both are equal, and removes the cards from
    // the hands.
    static void settle(State& state, int first, int second) {
        state.hands = {without(state.hands[0], first), without(state.hands[1], second)};
        state.lead = static_cast<std::int16_t>(state.lead + state.prize * compare(first, second));
        state.prize = 0;
        state.bid = 0;
        state.player = state.left != 0 ? kChance : kTerminal;
    }
    // Moves on to the next state in which a player or chance has a choice, or to the end: the last
    // trick has no choice, and in a fixed order no prize has.
    void go_on(State& state) const {
        if (std::has_single_bit(state.left)) {
            turn_up(state, nth(state.left, 0));
            settle(state, nth(state.hands[0], 0), nth(state.hands[1], 0));
        } else if (order_ != Order::random) {
            const int last = std::popcount(state.left) - 1;
            turn_up(state, nth(state.left, order_ == Order::descending ? last : 0));
        }
    }

    int cards_;
    Order order_;
    bool hidden_, wins_;
};

static_assert(EnumerableGame<Goofspiel>);

}  // namespace fogtree::goofspiel
