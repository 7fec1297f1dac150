#include "games/cambia/encoded_game.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace fogtree::cambia {

namespace {

constexpr int kPhases = 10;  // values of Phase

// The kind of a card, see kKindOfCard.
std::uint8_t kind_of(Card card) {
    return kKindOfCard[static_cast<std::size_t>(card)];
}

// The kind of a card; kCardKinds if there is none.
std::uint8_t kind_or_none(Card card) {
    return card >= 0 ? kind_of(card) : static_cast<std::uint8_t>(kCardKinds);
}

}  // namespace

// A position has the most legal actions at a swap: each own card with each card of the other
// players. A history's code has the same layout as a player's, with all cards open.
EncodedGame::EncodedGame(const Rules& rules) : rules_(rules) {
    if (rules.earlier_defects)
        throw std::invalid_argument("with earlier_defects games can get stuck: not trained on");
    lay_out();
    shape_.features = inputs_.features();
    shape_.code_bytes = inputs_.bytes();
    shape_.players = rules.players;
    shape_.actions = action_count(rules.players);
    shape_.most_actions = kHandLimit * kHandLimit * (rules.players - 1);
    shape_.history_features = shape_.features;
    shape_.history_code_bytes = shape_.code_bytes;
}

// The parts of a code in their order, with the inputs each becomes; write() fills them. Numbers are
// divided by about their largest value: 4 cards of a kind, 54 cards in the deck.
void EncodedGame::lay_out() {
    using deep::Part;
    const int n = rules_.players, slots = n * kHandLimit;
    inputs_.add(Part::choice, 1, kPhases, 1);             // phase
    inputs_.add(Part::choice, 2, n, 1);                   // actor, starter
    inputs_.add(Part::choice, 1, n + 1, 1);               // caller
    inputs_.add(Part::choice, slots, kCardKinds + 2, 1);  // hands: a kind, no card, unknown
    inputs_.add(Part::bits, slots, n, 1);                 // who has seen it
    inputs_.add(Part::choice, 1, kCardKinds + 1, 1);      // drawn
    inputs_.add(Part::number, 1, 1, 1);                   // from the discard
    inputs_.add(Part::choice, 1, kCardKinds + 1, 1);      // top of the discard
    inputs_.add(Part::number, 2 * kCardKinds, 1, 4);      // discarded, refilled
    inputs_.add(Part::number, 1, 1, 54);                  // stock
    inputs_.add(Part::wide, 1, 1, static_cast<float>(rules_.max_turns));  // turn
    inputs_.add(Part::number, 1, 1, 6);                                   // owed
    inputs_.add(Part::choice, 1, n + 1, 1);                               // other
    inputs_.add(Part::choice, 2, kHandLimit + 1, 1);                      // slot, own
}

// The state before anything is dealt.
EncodedGame::State EncodedGame::root() const {
    State state;
    std::memset(&state, 0, sizeof state);
    state.position = Position::first(rules_);
    return state;
}

// Writes the numbers of the legal actions; returns how many there are.
int EncodedGame::legal(const State& state, deep::Action* out) const {
    const int count = state.position.move_count(rules_);
    for (int number = 0; number < count; ++number) {
        const Move move = state.position.move(rules_, number);
        out[number] = static_cast<deep::Action>(action_of(move, rules_.players));
    }
    return count;
}

// A player's payoff at the end.
float EncodedGame::payoff(const State& state, int player) const {
    double out[kMostPlayers];
    state.position.returns(rules_, out);
    return static_cast<float>(out[player]);
}

// Notes which cards are about to refill the stock: all players have seen them on the discard pile.
void EncodedGame::note_refill(State& state) {
    std::memset(state.refilled, 0, sizeof state.refilled);
    const Position& position = state.position;
    for (int i = 0; i < position.pool_size(); ++i) ++state.refilled[kind_of(position.pool()[i])];
}

// Writes the code of what a viewer knows or, with `all_seeing`, of everything, in the layout of
// lay_out(). Players are numbered from the viewer on, who is 0.
void EncodedGame::write(const State& state, int viewer, bool all_seeing, std::uint8_t* code) const {
    const Position& p = state.position;
    const int n = rules_.players;
    const unsigned everybody = (1u << n) - 1;
    const auto seat = [&](int player) {
        return static_cast<std::uint8_t>(player < 0         ? n
                                         : player >= viewer ? player - viewer
                                                            : player - viewer + n);
    };
    const auto byte = [](int value) { return static_cast<std::uint8_t>(value); };
    *code++ = byte(static_cast<int>(p.phase));
    *code++ = seat(p.actor);
    *code++ = seat(std::max<int>(p.starter, 0));
    *code++ = seat(p.caller);
    std::uint8_t* seen_code = code + n * kHandLimit;
    for (int k = 0; k < n; ++k) {
        const int q = viewer + k < n ? viewer + k : viewer + k - n;
        for (int i = 0; i < kHandLimit; ++i) {
            if (i >= p.sizes[q]) {
                *code++ = kCardKinds;
                *seen_code++ = 0;
                continue;
            }
            const unsigned seen = p.over() ? everybody : p.seen[q][i];
            const bool open = all_seeing || (seen >> viewer & 1);
            *code++ = open ? kind_of(p.hands[q][i]) : byte(kCardKinds + 1);
            *seen_code++ =
                static_cast<std::uint8_t>((seen >> viewer | seen << (n - viewer)) & everybody);
        }
    }
    code = seen_code;
    const bool drawn_open = all_seeing || (p.drawn_seen >> viewer & 1);
    *code++ = drawn_open ? kind_or_none(p.drawn) : byte(kCardKinds);
    *code++ = p.from_discard;
    *code++ = p.discard_size > 0 ? kind_of(p.top()) : byte(kCardKinds);
    std::memset(code, 0, kCardKinds);
    for (int i = kMostCards - p.discard_size; i < kMostCards; ++i) ++code[kind_of(p.cards[i])];
    code += kCardKinds;
    std::memcpy(code, state.refilled, kCardKinds);
    code += kCardKinds;
    *code++ = p.stock_size;
    *code++ = byte(p.turn & 255);
    *code++ = byte(p.turn >> 8);
    *code++ = p.owed;
    *code++ = seat(p.other);
    *code++ = byte(p.slot >= 0 ? p.slot : kHandLimit);
    *code++ = byte(p.own >= 0 ? p.own : kHandLimit);
}

}  // namespace fogtree::cambia
