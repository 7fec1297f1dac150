// The rules of Leduc poker for compiling, with the order of actions of the game in Python.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "tree/enumerable_game.hpp"

namespace fogtree::leduc_poker {

// The parameters of a game.
struct Options {
    int players;
    std::string ranks;  // a letter for each, the lowest first
    int suits;
    int raises;      // most raises in a betting round
    bool same_suit;  // suits are not told apart: cards of one rank are equal
};

// The rules; a state can be copied and stepped forward.
class LeducPoker {
public:
    static constexpr int kMostPlayers = 10;

    // The bets, the cards dealt, and who must act.
    struct State {
        std::array<std::int32_t, kMostPlayers> paid{};  // by player
        std::array<std::int8_t, kMostPlayers> hands{};  // each player's card
        std::int32_t raised = 0;                        // raises in this round
        std::uint16_t seats = 0;                        // bits of the players who have not folded
        std::int8_t dealt = 0;                          // players who have their card
        std::int8_t board = -1;                         // the shared card; -1: not yet
        std::int8_t waiting = 0;       // players who must still answer in this round
        std::int8_t player = kChance;  // who moves
    };

    // There are cards_ different cards, copies_ of each: by rank alone if suits are not told apart,
    // else by rank and suit.
    explicit LeducPoker(Options options) : options_(std::move(options)) {
        const Options& o = options_;
        if (o.players < 2 || o.players > kMostPlayers || o.suits < 1 || o.suits > 4 ||
            o.ranks.size() > 13 || o.raises < 0) {
            throw std::invalid_argument("no such game of Leduc poker");
        }
        const int cards = static_cast<int>(o.ranks.size()) * o.suits;
        if (cards <= o.players) {
            throw std::invalid_argument("Leduc poker has more cards than players");
        }
        copies_ = o.same_suit || o.suits == 1 ? o.suits : 1;
        cards_ = cards / copies_;
    }

    int players() const { return options_.players; }
    // Everybody has paid the ante; no card is dealt.
    State root() const {
        State state;
        std::fill_n(state.paid.begin(), players(), kAnte);
        state.seats = static_cast<std::uint16_t>((1 << players()) - 1);
        return state;
    }
    // Who moves; kChance, or kTerminal at the end.
    int player(const State& state) const { return state.player; }

    // The number of legal actions: check or, if the mover owes chips, fold and call; and raise,
    // while the round allows it.
    int actions(const State& state) const {
        return (owes(state) ? 2 : 1) + (state.raised < options_.raises ? 1 : 0);
    }
    // The number of different cards that can be dealt.
    int outcomes(const State& state) const {
        int count = 0;
        for (int card = 0; card < cards_; ++card) count += left(state, card) > 0 ? 1 : 0;
        return count;
    }
    // The probability of the n-th card that can be dealt: its copies left, divided by all cards
    // left.
    double probability(const State& state, int n) const {
        const int total = cards_ * copies_ - std::min<int>(state.dealt, players());
        return static_cast<double>(left(state, label(state, n) - kCard)) / total;
    }

    // The label of action or outcome n: kFold to kRaise, or kCard + the number of a card.
    int label(const State& state, int n) const {
        if (state.player != kChance) {
            const int first = owes(state) ? 0 : 1;  // without "fold"
            if (first + n == 2) return kRaise;
            return first + n == 0 ? kFold : owes(state) ? kCall : kCheck;
        }
        int card = 0;
        while (left(state, card) == 0 || n-- > 0) ++card;
        return kCard + card;
    }
    // The text of a label.
    std::string label_text(int label) const {
        static const char* const kWords[] = {"fold", "call", "check", "raise"};
        if (label < kCard) return kWords[label];
        const auto card = label - kCard;
        std::string text(1, options_.ranks[static_cast<std::size_t>(rank(card))]);
        if (copies_ == 1 && options_.suits > 1) text += "shdc"[card % options_.suits];
        return text;
    }

    // Deals the n-th possible card to the next player, or as the shared card.
    void deal(State& state, int n) const {
        const auto card = static_cast<std::int8_t>(label(state, n) - kCard);
        if (state.dealt < players()) {
            state.hands[static_cast<std::size_t>(state.dealt++)] = card;
        } else {
            state.board = card;
        }
        state.raised = 0;
        state.waiting = static_cast<std::int8_t>(std::popcount(state.seats));
        if (state.dealt == players()) state.player = first_seat(state.seats);
    }

    // Plays the n-th action: fold, check or call, raise.
    void step(State& state, int n) const {
        const int mover = state.player, word = label(state, n);
        const auto later = static_cast<std::uint16_t>(state.seats >> (mover + 1) << (mover + 1));
        state.player = first_seat(later != 0 ? later : state.seats);
        auto& paid = state.paid[static_cast<std::size_t>(mover)];
        --state.waiting;
        if (word == kFold) {
            state.seats = static_cast<std::uint16_t>(state.seats & ~(1 << mover));
        } else {
            paid = most_paid(state);
        }
        if (word == kRaise) {
            paid += state.board < 0 ? kFirstRaise : kSecondRaise;
            state.waiting = static_cast<std::int8_t>(std::popcount(state.seats) - 1);
            ++state.raised;
        }
        if (std::has_single_bit(state.seats) || (state.waiting == 0 && state.board >= 0)) {
            state.player = kTerminal;
        } else if (state.waiting == 0) {
            state.player = kChance;
        }
    }

    // A player's payoff in chips: the best hands that have not folded share the pot.
    double payoff(const State& state, int player) const {
        int best = -1, winners = 0;
        for (int p = 0; p < players(); ++p) {
            if (!in(state, p)) continue;
            const int strength = strength_of(state, p);
            winners = strength > best ? 1 : winners + (strength == best ? 1 : 0);
            best = std::max(best, strength);
        }
        const int pot = std::accumulate(state.paid.begin(), state.paid.end(), 0);
        const bool won = in(state, player) && strength_of(state, player) == best;
        const double share = won ? static_cast<double>(pot) / winners : 0.0;
        return share - state.paid[static_cast<std::size_t>(player)];
    }

    // What a player notices of a step: label + 1; 0, nothing, of another player's card.
    Token noticed(const State& before, int label, const State&, int player) const {
        const bool own_card = before.dealt < players();
        return own_card && player != before.dealt ? 0 : static_cast<Token>(label + 1);
    }
    // The name of an information set, as in "Jscr/Qhc": the own card, a letter for each move, and
    // the shared card after "/".
    std::string infoset_name(int, const Tokens& tokens) const {
        std::string name;
        for (const Token token : tokens) {
            const int label = static_cast<int>(token) - 1;
            if (label < kCard) {
                name += label_text(label)[0];
            } else {
                if (!name.empty()) name += '/';
                name += label_text(label);
            }
        }
        return name;
    }

private:
    // In chips: the ante, and a raise in the first and the second round.
    static constexpr int kAnte = 1, kFirstRaise = 2, kSecondRaise = 4;
    enum { kFold, kCall, kCheck, kRaise, kCard };

    // The lowest player of a set.
    static std::int8_t first_seat(std::uint16_t seats) {
        return static_cast<std::int8_t>(std::countr_zero(seats));
    }
    // Whether a player has not folded.
    static bool in(const State& state, int player) { return (state.seats >> player & 1) != 0; }
    // What a player must have paid to stay in: the most that anybody has paid.
    int most_paid(const State& state) const {
        return *std::max_element(state.paid.begin(), state.paid.begin() + players());
    }
    // Whether the mover has paid less than another player.
    bool owes(const State& state) const {
        return state.paid[static_cast<std::size_t>(state.player)] < most_paid(state);
    }
    // The rank of a card, from 0.
    int rank(int card) const { return copies_ == 1 ? card / options_.suits : card; }
    // The strength of a hand, larger is better: a pair with the shared card beats all others, then
    // the rank counts.
    int strength_of(const State& state, int player) const {
        const int own = rank(state.hands[static_cast<std::size_t>(player)]);
        return state.board >= 0 && rank(state.board) == own ? 100 + own : own;
    }
    // How many copies of a card no player holds.
    int left(const State& state, int card) const {
        const auto held = std::count(state.hands.begin(), state.hands.begin() + state.dealt, card);
        return copies_ - static_cast<int>(held);
    }

    Options options_;
    int cards_ = 0;   // different ones
    int copies_ = 1;  // of each card
};

static_assert(EnumerableGame<LeducPoker>);

}  // namespace fogtree::leduc_poker
