#include "games/cambia/position.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace fogtree::cambia {

namespace {

std::uint8_t byte(int value) {
    return static_cast<std::uint8_t>(value);
}

// Whether a discarded card of this rank may be used to look at or swap cards.
bool has_ability(int rank) {
    return rank >= seven && rank <= king;
}

}  // namespace

// The position before anything is dealt.
Position Position::first(const Rules& rules) {
    Position p;
    std::memset(&p, 0, sizeof p);
    std::copy_n(rules.deck.begin(), rules.deck_size, p.cards);
    p.stock_size = byte(rules.deck_size);
    p.phase = Phase::starter;
    p.starter = p.caller = p.other = p.slot = p.own = -1;
    p.drawn = kNoCard;
    return p;
}

// Whether the position has exactly the cards of the deck, in hands of allowed size.
bool Position::fits(const Rules& rules) const {
    int missing[kMostCards] = {};
    const auto count = [&](const Card* first, int size, int by) {
        for (int i = 0; i < size; ++i) missing[first[i]] += by;
    };
    count(rules.deck.data(), rules.deck_size, 1);
    count(cards, stock_size, -1);
    count(cards + kMostCards - discard_size, discard_size, -1);
    if (drawn != kNoCard) --missing[drawn];
    const int largest = by_chance() && phase <= Phase::deal ? rules.hand : kHandLimit;
    for (int p = 0; p < kMostPlayers; ++p) {
        if (sizes[p] > (p < rules.players ? largest : 0)) return false;
        count(hands[p], sizes[p], -1);
    }
    return std::all_of(std::begin(missing), std::end(missing), [](int left) { return left == 0; });
}

// Legal moves.

// The actions at the start of a turn as bits: 1 draw, 2 take the top discard, 4 call Cambia.
unsigned Position::start_choices(const Rules& rules) const {
    unsigned choices = stock_size > 0 || discard_size > 1 ? 1 : 0;
    if (rules.draw_discard && discard_size > 0) choices |= 2;
    if (caller < 0 && turn >= rules.cambia_from_round * rules.players) choices |= 4;
    return choices;
}

// The number of actions that the ability of a rank offers the actor: the cards to look at or the
// pairs to swap. After a king's look there are two: to keep the cards or to swap them.
int Position::ability_count(const Rules& rules, int rank) const {
    if (own >= 0) return 2;
    if (rank == seven || rank == eight) return sizes[actor];
    if (!has_ability(rank)) return 0;
    const bool look = rank == nine || rank == ten;
    int cards_there = 0;
    for (int k = 0; k < rules.players - 1; ++k) {
        const int player = opponent(rules, k);
        if (look || !locked(rules, player)) cards_there += sizes[player];
    }
    return look ? cards_there : cards_there * sizes[actor];
}

// The ability action with this number, from 0 to ability_count() - 1.
Move Position::ability_move(const Rules& rules, int rank, int number) const {
    if (own >= 0) return {number == 0 ? Kind::king_keep : Kind::king_swap};
    if (rank == seven || rank == eight) return {Kind::look_own, byte(number)};
    const bool look = rank == nine || rank == ten;
    const int mine = look ? 1 : sizes[actor];
    const Kind kind = look ? Kind::look_other : rank == king ? Kind::king_look : Kind::blind_swap;
    for (int k = 0;; ++k) {
        const int player = opponent(rules, k);
        const int count = look || !locked(rules, player) ? sizes[player] : 0;
        if (number < count * mine) {
            return {kind, byte(number / count), byte(k), byte(number % count)};
        }
        number -= count * mine;
    }
}

// The actor's answer with this number when asked to snap: 0 passes, then come the own cards, then
// the opponents' cards that may be snapped.
Move Position::snap_move(const Rules& rules, int number) const {
    if (number == 0) return {Kind::pass};
    number -= 1;
    if (number < sizes[actor]) return {Kind::snap_own, byte(number)};
    number -= sizes[actor];
    for (int k = 0;; ++k) {
        const int player = opponent(rules, k);
        const int count = may_snap_from(rules, player) ? sizes[player] : 0;
        if (number < count) return {Kind::snap_other, 0, byte(k), byte(number)};
        number -= count;
    }
}

// The number of legal actions in this phase.
int Position::move_count(const Rules& rules) const {
    switch (phase) {
        case Phase::start: {
            const unsigned choices = start_choices(rules);
            return static_cast<int>((choices & 1) + (choices >> 1 & 1) + (choices >> 2));
        }
        case Phase::drawn: {
            const bool ability = !from_discard && ability_count(rules, rank_of(drawn)) > 0;
            return 1 + ability + sizes[actor];
        }
        case Phase::snap: {
            int count = 1 + sizes[actor];
            for (int k = 0; rules.opponent_snap && k < rules.players - 1; ++k) {
                const int player = opponent(rules, k);
                if (may_snap_from(rules, player)) count += sizes[player];
            }
            return count;
        }
        case Phase::ability:
            return ability_count(rules, rank_of(top()));
        case Phase::gap:
            return sizes[actor];
        default:
            return 0;
    }
}

// The legal action with this number. At the start of a turn: the choices of start_choices() in
// their order. With a drawn card: discard it, discard it for its ability if it has one, or replace
// a card of the hand. After a snap of another's card: which own card fills the gap.
Move Position::move(const Rules& rules, int number) const {
    switch (phase) {
        case Phase::start: {
            unsigned choices = start_choices(rules);
            for (; number > 0; --number) choices &= choices - 1;
            return {choices & 1 ? Kind::draw : choices & 2 ? Kind::draw_discard : Kind::cambia};
        }
        case Phase::drawn: {
            if (number == 0) return {Kind::discard};
            const bool ability = !from_discard && ability_count(rules, rank_of(drawn)) > 0;
            if (ability && number == 1) return {Kind::discard_ability};
            return {Kind::replace, byte(number - 1 - ability)};
        }
        case Phase::snap:
            return snap_move(rules, number);
        case Phase::ability:
            return ability_move(rules, rank_of(top()), number);
        default:
            return {Kind::fill_gap, byte(number), 0, byte(slot)};
    }
}

// Whether an action is legal.
bool Position::legal(const Rules& rules, const Move& wanted) const {
    const int count = move_count(rules);
    for (int number = 0; number < count; ++number) {
        const Move found = move(rules, number);
        if (found.kind == wanted.kind && found.own == wanted.own && found.slot == wanted.slot &&
            found.opponent == wanted.opponent) {
            return true;
        }
    }
    return false;
}

// Actions.

// Applies a legal action.
void Position::act(const Rules& rules, const Move& move) {
    switch (phase) {
        case Phase::start:
            if (move.kind == Kind::draw) {
                phase = Phase::draw;
            } else if (move.kind == Kind::cambia) {
                caller = static_cast<std::int8_t>(actor);
                next_turn(rules);
            } else {
                drawn = top();
                --discard_size;
                drawn_seen = byte((1 << rules.players) - 1);
                from_discard = true;
                phase = Phase::drawn;
            }
            break;
        case Phase::drawn:
            use_drawn(rules, move);
            break;
        case Phase::ability:
            use_ability(rules, move);
            break;
        case Phase::snap:
            snap(rules, move);
            break;
        default:
            fill_gap(rules, move.own);
    }
}

// Discards the drawn card or puts it in an own slot; an ability or a snap may follow.
void Position::use_drawn(const Rules& rules, const Move& move) {
    Card card = drawn;
    bool ability = move.kind == Kind::discard_ability;
    if (move.kind == Kind::replace) {
        card = hands[actor][move.own];
        hands[actor][move.own] = drawn;
        seen[actor][move.own] = drawn_seen;
        ability = rules.replace_abilities && !from_discard && has_ability(rank_of(card));
    }
    push_discard(card);
    drawn = kNoCard;
    drawn_seen = 0;
    from_discard = false;
    if (ability && (rules.earlier_defects || ability_count(rules, rank_of(card)) > 0)) {
        phase = Phase::ability;
    } else {
        open_snap(rules);
    }
}

// Applies an ability: looks at or swaps cards. A king's look is followed by a second decision.
void Position::use_ability(const Rules& rules, const Move& move) {
    const auto bit = byte(1 << actor);
    const int player = opponent(rules, move.opponent);
    switch (move.kind) {
        case Kind::look_own:
            seen[actor][move.own] |= bit;
            break;
        case Kind::look_other:
            seen[player][move.slot] |= bit;
            break;
        case Kind::blind_swap:
            swap_cards(move.own, player, move.slot);
            break;
        case Kind::king_look:
            own = static_cast<std::int8_t>(move.own);
            other = static_cast<std::int8_t>(player);
            slot = static_cast<std::int8_t>(move.slot);
            seen[actor][move.own] |= bit;
            seen[player][move.slot] |= bit;
            return;
        case Kind::king_swap:
            swap_cards(own, other, slot);
            break;
        default:
            break;
    }
    own = other = slot = -1;
    open_snap(rules);
}

// Exchanges an own card with another player's; what is noted of who has seen a card goes with it.
void Position::swap_cards(int mine, int player, int theirs) {
    std::swap(hands[actor][mine], hands[player][theirs]);
    std::swap(seen[actor][mine], seen[player][theirs]);
}

// Finds the players who are asked whether they snap the top discard, and asks the first of them.
// Unless the rules ask always, a player must hold a card of its rank; if opponents' cards may be
// snapped, one such player is enough for all to be asked. The caller of Cambia is never asked.
void Position::open_snap(const Rules& rules) {
    const int players = rules.players;
    const unsigned everybody = (1u << players) - 1;
    unsigned asked = everybody;
    if (!rules.snap_always) {
        const int rank = rank_of(top());
        unsigned holders = 0;
        for (int p = 0; p < players; ++p) {
            for (int i = 0; i < sizes[p]; ++i) {
                if (rank_of(hands[p][i]) == rank) holders |= 1u << p;
            }
        }
        if (caller >= 0) holders &= ~(1u << caller);
        asked = rules.opponent_snap && holders ? everybody : holders;
    }
    if (caller >= 0) asked &= ~(1u << caller);
    waiting = static_cast<std::uint8_t>(asked);
    ask_next(rules);
}

// Asks the next waiting player whether to snap; after the last one the turn is over.
void Position::ask_next(const Rules& rules) {
    if (waiting) {
        int player = turn_player(rules);
        while (!(waiting >> player & 1)) player = player + 1 == rules.players ? 0 : player + 1;
        waiting = byte(waiting ^ 1 << player);
        phase = Phase::snap;
        actor = byte(player);
    } else {
        next_turn(rules);
    }
}

// One answer to a snap: pass, discard a matching card, or pay for a wrong one.
void Position::snap(const Rules& rules, const Move& move) {
    if (move.kind == Kind::pass) return ask_next(rules);
    const bool mine = move.kind == Kind::snap_own;
    const int player = mine ? actor : opponent(rules, move.opponent);
    const int place = mine ? move.own : move.slot;
    const Card card = hands[player][place];
    if (rank_of(card) != rank_of(top())) {
        if (rules.show_wrong_snap) seen[player][place] = byte((1 << rules.players) - 1);
        owed = byte(std::min(rules.penalty, kHandLimit - sizes[actor]));
        phase = Phase::penalty;
        return next_penalty(rules);
    }
    remove(player, place);
    push_discard(card);
    if (mine || sizes[actor] == 0) return ask_next(rules);
    phase = Phase::gap;
    other = static_cast<std::int8_t>(player);
    slot = static_cast<std::int8_t>(place);
}

// Ends the penalty for a wrong snap when no more cards are owed, or none is left to draw (the
// discard pile's top card stays). Otherwise the phase stays `penalty`: chance draws the next card.
void Position::next_penalty(const Rules& rules) {
    if (owed == 0 || (stock_size == 0 && discard_size <= 1)) {
        owed = 0;
        ask_next(rules);
    }
}

// Moves an own card into the gap that a snapped card of an opponent left.
void Position::fill_gap(const Rules& rules, int from) {
    const Card card = hands[actor][from];
    const unsigned who = seen[actor][from];
    remove(actor, from);
    insert(other, slot, card, who);
    other = slot = -1;
    ask_next(rules);
}

// Begins the next player's turn, or ends the game.
void Position::next_turn(const Rules& rules) {
    ++turn;
    actor = byte(turn_player(rules));
    const bool ended = turn >= rules.max_turns || actor == caller;
    phase = ended || start_choices(rules) == 0 ? Phase::over : Phase::start;
}

// Chance.

// Applies the outcome of chance that this player starts.
void Position::start_with(int player) {
    starter = static_cast<std::int8_t>(player);
    phase = Phase::deal;
    actor = 0;
}

// Draws the card at an index of pool(); an empty stock is first refilled from the discard pile. The
// phase says where it goes: it becomes the actor's drawn card, or a penalty card in the actor's
// hand; in the deal it goes to the next hand or, when all are full, on the discard pile.
void Position::draw_at(const Rules& rules, int place) {
    if (stock_size == 0) {
        const Card on_top = top();
        const int refill = discard_size - 1;
        std::memmove(cards, cards + kMostCards - refill, static_cast<std::size_t>(refill));
        stock_size = byte(refill);
        discard_size = 1;
        cards[kMostCards - 1] = on_top;
    }
    const Card card = cards[place];
    cards[place] = cards[--stock_size];
    if (phase == Phase::draw) {
        drawn = card;
        drawn_seen = byte(1 << actor);
        phase = Phase::drawn;
    } else if (phase == Phase::penalty) {
        insert(actor, sizes[actor], card, 0);
        --owed;
        next_penalty(rules);
    } else if (sizes[actor] == rules.hand) {
        push_discard(card);
        phase = Phase::start;
        actor = byte(starter);
    } else {
        insert(actor, sizes[actor], card, sizes[actor] < rules.looks ? 1u << actor : 0u);
        actor = byte(actor + 1 == rules.players ? 0 : actor + 1);
    }
}

// Cards.

// Puts a card on top of the discard pile, which grows downwards from the end of `cards`.
void Position::push_discard(Card card) {
    cards[kMostCards - ++discard_size] = card;
}

// Inserts a card into a hand at a slot; later cards move up. `who`: the players who have seen it, a
// bit each.
void Position::insert(int player, int place, Card card, unsigned who) {
    const auto behind = static_cast<std::size_t>(sizes[player] - place);
    std::memmove(&hands[player][place + 1], &hands[player][place], behind);
    std::memmove(&seen[player][place + 1], &seen[player][place], behind);
    hands[player][place] = card;
    seen[player][place] = static_cast<std::uint8_t>(who);
    ++sizes[player];
}

// Removes the card at a slot of a hand; later cards move down.
void Position::remove(int player, int place) {
    --sizes[player];
    const auto behind = static_cast<std::size_t>(sizes[player] - place);
    std::memmove(&hands[player][place], &hands[player][place + 1], behind);
    std::memmove(&seen[player][place], &seen[player][place + 1], behind);
}

// The end.

// The points in a player's hand.
int Position::total(int player) const {
    int sum = 0;
    for (int i = 0; i < sizes[player]; ++i) {
        sum += kPoints[static_cast<std::size_t>(hands[player][i])];
    }
    return sum;
}

// Writes every player's payoff to `out`. The lowest total wins; if the caller is among the lowest,
// the caller wins alone. Each loser pays 1, and the winners share that.
void Position::returns(const Rules& rules, double* out) const {
    int totals[kMostPlayers], best = 1000, winners = 0;
    for (int p = 0; p < rules.players; ++p) best = std::min(best, totals[p] = total(p));
    for (int p = 0; p < rules.players; ++p) winners += totals[p] == best;
    const bool by_caller = caller >= 0 && totals[caller] == best;
    if (by_caller) winners = 1;
    const double share = static_cast<double>(rules.players - winners) / winners;
    for (int p = 0; p < rules.players; ++p) {
        const bool won = by_caller ? p == caller : totals[p] == best;
        out[p] = won ? share : -1.0;
    }
}

}  // namespace fogtree::cambia
