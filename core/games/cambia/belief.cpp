#include "games/cambia/belief.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

namespace fogtree::cambia {

namespace {

constexpr int kMostTries = 500;    // random deals for one sample, before cards are exchanged
constexpr int kMostSwaps = 20000;  // exchanges for one sample
constexpr int kMixingSwaps = 20;   // exchanges per hidden card once the cards agree with all facts

// Throws for an observation that the rules do not allow.
[[noreturn]] void impossible(const char* what) {
    throw std::invalid_argument(what);
}

// Whether this stands for a hidden card: -2 - number, where -1 is no card.
bool is_ghost(Card card) {
    return card < kNoCard;
}

// The number of a hidden card, its index in Knowledge::ghosts.
std::size_t ghost_of(Card card) {
    return static_cast<std::size_t>(-2 - card);
}

std::uint64_t bit(std::size_t i) {
    return std::uint64_t{1} << i;
}

// Calls visit(i) for every bit i that is set.
template <class Visit>
void for_each_bit(std::uint64_t bits, Visit&& visit) {
    for (; bits != 0; bits &= bits - 1) visit(static_cast<std::size_t>(std::countr_zero(bits)));
}

}  // namespace

// Observations.

// Before the deal: every card of the deck is in one pool of unseen cards.
Belief::Belief(const Rules& rules, int player) : rules_(rules), player_(player) {
    if (player < 0 || player >= rules.players) impossible("no such player");
    now_.position = Position::first(rules);
    now_.pools.emplace_back(rules.deck.begin(), rules.deck.begin() + rules.deck_size);
}

// Takes the player's next observation; nothing changes if the rules do not allow it.
void Belief::observe(Token token) {
    Knowledge next = now_;
    check_token(rules_, token);
    if (next.position.over()) impossible("the game is over");
    const bool chance = action_in(token) < 0;
    if (next.position.by_chance() != chance) impossible("this step cannot happen here");
    if (chance) {
        next.by_chance(rules_, token);
    } else {
        next.by_player(rules_, token);
    }
    now_ = std::move(next);
}

// Adds a hidden card of the present generation; returns the number that stands for it in a hand.
Card Belief::Knowledge::new_ghost() {
    const auto free = std::find_if(ghosts.begin(), ghosts.end(),
                                   [](const Ghost& ghost) { return ghost.generation < 0; });
    if (free == ghosts.end()) impossible("more hidden cards than hands can hold");
    *free = {static_cast<std::int16_t>(pools.size() - 1), 0};
    return static_cast<Card>(-2 - (free - ghosts.begin()));
}

// Removes a card that was shown from its generation's pool, the cards that hidden ones may be.
void Belief::Knowledge::take(std::size_t generation, Card card) {
    auto& pool = pools[generation];
    const auto found = std::find(pool.begin(), pool.end(), card);
    if (found == pool.end()) impossible("that card cannot be there");
    *found = pool.back();
    pool.pop_back();
}

// Takes in that the card at a place was seen. If a ghost stood there, it becomes the card, the card
// leaves its pool, clauses that it fulfils are dropped, and the other clauses lose the ghost.
void Belief::Knowledge::reveal(Card& place, Card card) {
    if (!is_ghost(place)) {
        if (place != card) impossible("another card was seen there before");
        return;
    }
    const std::size_t number = ghost_of(place);
    const int rank = rank_of(card);
    if (ghosts[number].not_ranks >> rank & 1)
        impossible("with that card the player would have been asked to snap");
    take(static_cast<std::size_t>(ghosts[number].generation), card);
    ghosts[number] = {};
    place = card;
    std::erase_if(clauses, [&](Clause& clause) {
        if (!(clause.ghosts & bit(number))) return false;
        clause.ghosts &= ~bit(number);
        return clause.rank == rank;
    });
    for (const Clause& clause : clauses) {
        if (clause.ghosts == 0) impossible("somebody was asked to snap without a reason");
    }
    for (std::size_t p = 0; p < asking.ghosts.size(); ++p) {
        if (!(asking.ghosts[p] & bit(number))) continue;
        asking.ghosts[p] &= ~bit(number);
        if (rank == asking.rank) asking.holders |= static_cast<std::uint8_t>(1u << p);
    }
}

// Takes the observation of a chance step: who starts, or a card that is drawn, shown or hidden.
void Belief::Knowledge::by_chance(const Rules& rules, Token token) {
    const int shown = card_in(token, 10);
    if (position.phase == Phase::starter) {
        if (shown < 0 || shown >= rules.players) impossible("no such player");
        return settle(rules, token, false, [&](const Rules&) { position.start_with(shown); });
    }
    const int actor = position.actor, place = position.sizes[actor];
    const Phase phase = position.phase;
    if (position.stock_size == 0)
        pools.emplace_back(position.pool(), position.pool() + position.pool_size());
    const bool first_discard = phase == Phase::deal && place == rules.hand;
    if (first_discard && shown < 0) impossible("the first discard is seen by all");
    if (shown >= 0) take(pools.size() - 1, static_cast<Card>(shown));
    const Card card = shown >= 0 ? static_cast<Card>(shown) : new_ghost();
    settle(rules, token, false, [&](const Rules&) {
        position.draw_at(rules, 0);
        Card& drawn = phase == Phase::draw ? position.drawn
                      : first_discard      ? position.cards[kMostCards - 1]
                                           : position.hands[actor][place];
        drawn = card;
    });
}

// Takes the observation of an action, with the cards that it showed. A snap can open after an
// action that ends the use of a drawn card or of an ability.
void Belief::Knowledge::by_player(const Rules& rules, Token token) {
    const Move move = move_of(action_in(token), rules.players);
    reveal_seen(rules, move, card_in(token, 10), card_in(token, 16));
    if (!position.legal(rules, move)) impossible("not possible here");
    const bool ends = position.phase == Phase::drawn || position.phase == Phase::ability;
    const bool opened = ends && phase_in(token) != Phase::ability;
    settle(rules, token, opened, [&](const Rules& by) { position.act(by, move); });
}

// Makes known the cards that a move shows, while they still lie where they lay before it: `first`
// and, after a king's look, the other player's card `second`; -1: not shown. A snapped card that
// stays hidden has another rank than the top discard.
void Belief::Knowledge::reveal_seen(const Rules& rules, const Move& move, int first, int second) {
    const int actor = position.actor;
    const int whose = (actor + 1 + move.opponent) % rules.players;
    Card* own = move.own < position.sizes[actor] ? &position.hands[actor][move.own] : nullptr;
    Card* theirs = move.slot < position.sizes[whose] ? &position.hands[whose][move.slot] : nullptr;
    Card* place = nullptr;
    const bool snaps = move.kind == Kind::snap_own || move.kind == Kind::snap_other;
    if (snaps && position.phase != Phase::snap) impossible("not possible here");
    switch (move.kind) {
        case Kind::discard:
        case Kind::discard_ability:
            place = &position.drawn;
            break;
        case Kind::replace:
        case Kind::look_own:
        case Kind::snap_own:
            place = own;
            break;
        case Kind::look_other:
        case Kind::snap_other:
            place = theirs;
            break;
        case Kind::king_look:
            if (second >= 0 && theirs != nullptr) reveal(*theirs, static_cast<Card>(second));
            place = own;
            break;
        default:
            return;
    }
    if (place == nullptr) impossible("there is no such card");
    if (first >= 0) {
        reveal(*place, static_cast<Card>(first));
    } else if (snaps) {
        if (is_ghost(*place)) rule_out(bit(ghost_of(*place)), rank_of(position.top()));
    }
}

// Takes a step, by calling `step(rules)`, so that it leads to the phase and player that the token
// names; throws if the rules do not allow that. Hidden cards match no rank, so that the step may
// miss a snap that the token names: it is then taken again with that player asked. `opened`: a snap
// may have opened with this step.
template <class Step>
void Belief::Knowledge::settle(const Rules& rules, Token token, bool opened, Step&& step) {
    const Phase phase = phase_in(token);
    const int actor = actor_in(token);
    const auto agrees = [&] { return position.phase == phase && position.actor == actor; };
    const Position before = position;
    step(rules);
    if (!agrees() && phase == Phase::snap && !rules.snap_always) {
        position = before;
        if (opened) {  // a hidden card matches
            Rules asks_all = rules;
            asks_all.snap_always = true;
            step(asks_all);
            if (!rules.opponent_snap) position.waiting = 0;
            position.actor = static_cast<std::uint8_t>(actor);
        } else {  // one more player had one
            if (!(asking.pending >> actor & 1)) impossible("not what follows by the rules");
            position.waiting |= static_cast<std::uint8_t>(1u << actor);
            step(rules);
        }
    }
    if (!agrees()) impossible("not what follows by the rules");
    if (rules.snap_always) return;
    if (opened) open(rules);
    if (asking.open) narrow(rules, token);
}

// The numbers of the hidden cards in a player's hand, a bit each.
std::uint64_t Belief::Knowledge::ghosts_of(int player) const {
    std::uint64_t out = 0;
    for (int i = 0; i < position.sizes[player]; ++i) {
        if (is_ghost(position.hands[player][i])) out |= bit(ghost_of(position.hands[player][i]));
    }
    return out;
}

// A snap opens: notes who certainly holds a matching card, and whose hidden cards may match.
void Belief::Knowledge::open(const Rules& rules) {
    asking = {};
    asking.open = true;
    asking.rank = static_cast<std::int8_t>(rank_of(position.top()));
    for (int p = 0; p < rules.players; ++p) {
        if (p == position.caller) continue;
        asking.pending |= static_cast<std::uint8_t>(1u << p);
        asking.ghosts[static_cast<std::size_t>(p)] = ghosts_of(p);
        for (int i = 0; i < position.sizes[p]; ++i) {
            const Card card = position.hands[p][i];
            if (!is_ghost(card) && rank_of(card) == asking.rank) {
                asking.holders |= static_cast<std::uint8_t>(1u << p);
            }
        }
    }
}

// Learns from who is asked to snap, as the token says. A player who is asked holds a card of the
// rank; the hidden cards of a player who is passed over do not have it. If opponents' cards may be
// snapped, all players are asked or none: then somebody holds such a card, or nobody does.
void Belief::Knowledge::narrow(const Rules& rules, Token token) {
    const bool asked = phase_in(token) == Phase::snap;
    const bool going_on = phase_in(token) == Phase::gap || phase_in(token) == Phase::penalty;
    if (going_on) return;
    if (rules.opponent_snap) {  // all players are asked, or none
        std::uint64_t all = 0;
        for (const std::uint64_t theirs : asking.ghosts) all |= theirs;
        if (asked && asking.holders == 0) claim(all, asking.rank);
        if (!asked && asking.pending != 0) {
            if (asking.holders != 0) impossible("somebody should have been asked");
            rule_out(all, asking.rank);
        }
        asking = {};
        return;
    }
    int player = position.turn_player(rules);
    for (int k = 0; k < rules.players; ++k, player = (player + 1) % rules.players) {
        const auto own = static_cast<std::uint8_t>(1u << player);
        if (asked && player == actor_in(token)) {
            const std::uint64_t theirs = asking.ghosts[static_cast<std::size_t>(player)];
            if ((asking.pending & own) && !(asking.holders & own)) claim(theirs, asking.rank);
            asking.pending &= static_cast<std::uint8_t>(~own);
            return;
        }
        if (!(asking.pending & own)) continue;
        if (asking.holders & own) impossible("somebody should have been asked");
        rule_out(asking.ghosts[static_cast<std::size_t>(player)], asking.rank);
        asking.pending &= static_cast<std::uint8_t>(~own);
    }
    asking = {};
}

// Notes that these hidden cards do not have this rank.
void Belief::Knowledge::rule_out(std::uint64_t numbers, int rank) {
    for_each_bit(numbers, [&](std::size_t i) {
        ghosts[i].not_ranks |= static_cast<std::uint16_t>(1u << rank);
    });
}

// Notes that at least one of these hidden cards has this rank.
void Belief::Knowledge::claim(std::uint64_t numbers, int rank) {
    if (numbers == 0) impossible("somebody was asked to snap without a reason");
    clauses.push_back({numbers, static_cast<std::int8_t>(rank)});
}

// Samples.

// One assignment of cards to all ghosts, and the cards that are then left of each generation.
struct Belief::Draw {
    std::array<Card, kMostGhosts> cards;   // by the ghost's number
    std::vector<std::vector<Card>> pools;  // by generation: cards left; the last is the stock
};

// The number of cards outside the stock that the player has never seen.
int Belief::hidden() const {
    return static_cast<int>(
        std::count_if(now_.ghosts.begin(), now_.ghosts.end(),
                      [](const Ghost& ghost) { return ghost.generation >= 0; }));
}

// Draws a card for each hidden one (ghost) from the pool of its generation, every deal equally
// likely; the ghosts of `kept`, a bit each, keep their card in `draw`. Returns whether the deal
// agrees with everything known; unless `whole`, it stops at the first card that cannot be.
bool Belief::deal(Draw& draw, SplitMix64& random, std::uint64_t kept, bool whole) const {
    draw.pools = now_.pools;
    const auto pool_of = [&](std::size_t i) -> std::vector<Card>& {
        return draw.pools[static_cast<std::size_t>(now_.ghosts[i].generation)];
    };
    for_each_bit(kept, [&](std::size_t i) {
        auto& pool = pool_of(i);
        const auto found = std::find(pool.begin(), pool.end(), draw.cards[i]);
        *found = pool.back();
        pool.pop_back();
    });
    for (std::size_t i = 0; i < now_.ghosts.size(); ++i) {
        if (now_.ghosts[i].generation < 0 || (kept >> i & 1)) continue;
        auto& pool = pool_of(i);
        Card& picked = pool[random.below(pool.size())];
        draw.cards[i] = picked;
        if (!whole && excluded(i, picked)) return false;
        picked = pool.back();
        pool.pop_back();
    }
    return conflicts(draw) == 0;
}

// Whether a ghost is known not to have this card's rank.
bool Belief::excluded(std::size_t ghost, Card card) const {
    return now_.ghosts[ghost].not_ranks >> rank_of(card) & 1;
}

// The number of known facts that an assignment contradicts: excluded ranks, and clauses of which no
// ghost has the rank.
int Belief::conflicts(const Draw& draw) const {
    int out = 0;
    for (std::size_t i = 0; i < now_.ghosts.size(); ++i) {
        if (now_.ghosts[i].generation >= 0) out += excluded(i, draw.cards[i]);
    }
    for (const Clause& clause : now_.clauses) {
        bool found = false;
        for_each_bit(clause.ghosts,
                     [&](std::size_t i) { found |= rank_of(draw.cards[i]) == clause.rank; });
        out += !found;
    }
    return out;
}

// Finds a possible deal where random deals hardly ever are: exchanges cards until nothing known is
// contradicted, then goes on with exchanges that keep it so, after which all possible deals are
// equally likely (Metropolis et al., 1953). The ghosts of `kept` keep their cards in `draw`, which
// receives the deal. Returns whether one was found.
bool Belief::exchange(Draw& draw, SplitMix64& random, std::uint64_t kept) const {
    std::vector<std::size_t> free;
    for (std::size_t i = 0; i < now_.ghosts.size(); ++i) {
        if (now_.ghosts[i].generation >= 0 && !(kept >> i & 1)) free.push_back(i);
    }
    if (free.empty()) return false;
    deal(draw, random, kept, true);
    int now = conflicts(draw);
    int left = static_cast<int>(free.size()) * kMixingSwaps;
    for (int swaps = 0; swaps < kMostSwaps && left > 0; ++swaps) {
        const std::size_t i = free[random.below(free.size())];
        const auto generation = now_.ghosts[i].generation;
        auto& pool = draw.pools[static_cast<std::size_t>(generation)];
        const std::size_t k = random.below(free.size() + pool.size());
        if (k < free.size() && now_.ghosts[free[k]].generation != generation) continue;
        Card& with = k < free.size() ? draw.cards[free[k]] : pool[k - free.size()];
        std::swap(draw.cards[i], with);
        const int then = conflicts(draw);
        if (then > now) {
            std::swap(draw.cards[i], with);
        } else {
            now = then;
        }
        left -= now == 0;
    }
    return now == 0;
}

// The position with the drawn cards in place of ghosts and in the stock. In an open snap the
// players who then hold a matching card are waiting to be asked.
Position Belief::completed(const Draw& draw) const {
    Position out = now_.position;
    const auto fill = [&](Card& card) {
        if (is_ghost(card)) card = draw.cards[ghost_of(card)];
    };
    for (int p = 0; p < rules_.players; ++p) {
        for (int i = 0; i < out.sizes[p]; ++i) fill(out.hands[p][i]);
    }
    fill(out.drawn);
    std::copy(draw.pools.back().begin(), draw.pools.back().end(), out.cards);
    if (!now_.asking.open) return out;
    for (int p = 0; p < rules_.players; ++p) {  // who else will be asked
        if (!(now_.asking.pending >> p & 1)) continue;
        bool holds = now_.asking.holders >> p & 1;
        for_each_bit(now_.asking.ghosts[static_cast<std::size_t>(p)],
                     [&](std::size_t i) { holds |= rank_of(draw.cards[i]) == now_.asking.rank; });
        if (holds) out.waiting |= static_cast<std::uint8_t>(1u << p);
    }
    return out;
}

// Draws positions in groups: the first of a group is drawn freely, the others keep the hidden cards
// that the opponent has seen (`theirs`).
std::vector<Belief::Sample> Belief::sample(int groups, int group, std::uint64_t seed) const {
    std::uint64_t theirs = 0;  // hidden from us, but the opponent has seen it
    const Position& now = now_.position;
    const int other = (player_ + 1) % rules_.players;
    for (int p = 0; p < rules_.players; ++p) {
        for (int i = 0; i < now.sizes[p]; ++i) {
            const Card card = now.hands[p][i];
            if (is_ghost(card) && (now.seen[p][i] >> other & 1)) theirs |= bit(ghost_of(card));
        }
    }
    if (is_ghost(now.drawn) && (now.drawn_seen >> other & 1)) {
        theirs |= bit(ghost_of(now.drawn));
    }
    SplitMix64 random(seed);
    std::vector<Sample> out;
    Draw drawn{};
    const auto found = [&](std::uint64_t kept) {
        for (int tries = 0; tries < kMostTries; ++tries) {
            if (deal(drawn, random, kept, false)) return true;
        }
        return exchange(drawn, random, kept);
    };
    for (int g = 0; g < groups; ++g) {
        if (!found(0)) continue;
        std::uint64_t known = 0;
        for_each_bit(theirs, [&](std::size_t i) {
            known = combine_hashes(known, static_cast<std::uint64_t>(drawn.cards[i]));
        });
        out.push_back({completed(drawn), known});
        for (int k = 1; k < group; ++k) {
            if (found(theirs)) out.push_back({completed(drawn), known});
        }
    }
    return out;
}

// Whether a position agrees with all observations: with the cards seen, with what is known about
// the hidden ones, and in the phase, the actor, the turn, the stock's size and who waits to snap.
bool Belief::contains(const Position& position) const {
    Draw draw{};
    draw.pools = now_.pools;
    const auto matches = [&](Card mine, Card actual) {
        if (!is_ghost(mine)) return mine == actual;
        if (actual < 0) return false;
        const Ghost& ghost = now_.ghosts[ghost_of(mine)];
        auto& pool = draw.pools[static_cast<std::size_t>(ghost.generation)];
        const auto found = std::find(pool.begin(), pool.end(), actual);
        if (found == pool.end()) return false;
        *found = pool.back();
        pool.pop_back();
        draw.cards[ghost_of(mine)] = actual;
        return true;
    };
    const Position& now = now_.position;
    for (int p = 0; p < rules_.players; ++p) {
        if (now.sizes[p] != position.sizes[p]) return false;
        for (int i = 0; i < now.sizes[p]; ++i) {
            if (!matches(now.hands[p][i], position.hands[p][i])) return false;
        }
    }
    return matches(now.drawn, position.drawn) && conflicts(draw) == 0 &&
           now.stock_size == position.stock_size && now.phase == position.phase &&
           now.actor == position.actor && now.turn == position.turn &&
           completed(draw).waiting == position.waiting;
}

}  // namespace fogtree::cambia
