#include "games/cambia/keys.hpp"

#include <algorithm>
#include <array>

namespace fogtree::cambia {

namespace {

// The bucket of each card by its points: 0 for at most 0, 1 for at most 3, 2 for at most 6, 3 for
// at most 9, 4 for more.
constexpr std::array<std::uint8_t, kMostCards> kBuckets = [] {
    std::array<std::uint8_t, kMostCards> out{};
    for (std::size_t card = 0; card < kMostCards; ++card) {
        for (const int highest : {0, 3, 6, 9}) out[card] += kPoints[card] > highest;
    }
    return out;
}();

// A hash to which numbers are added one after the other.
class Folding {
public:
    std::uint64_t hash = 0;
    void operator()(std::int64_t number) { hash = extend_hash(hash, number); }
};

// Adds how many legal actions there are, and the number of each, to a hash.
void fold_actions(Folding& add, const Rules& rules, const Position& position) {
    const int count = position.move_count(rules);
    add(count);
    for (int number = 0; number < count; ++number) {
        add(action_of(position.move(rules, number), rules.players));
    }
}

// Adds everything that the mover sees of the present position to a hash. `refilled`: the hash of
// the cards that last refilled the stock.
void fold_table(Folding& add, const Rules& rules, const Position& p, std::uint64_t refilled) {
    const int me = p.actor;
    const bool holding = (p.drawn_seen >> me & 1) != 0;
    for (const int number :
         {me, static_cast<int>(p.phase), static_cast<int>(p.turn), static_cast<int>(p.starter),
          static_cast<int>(p.caller), holding ? static_cast<int>(p.drawn) : -1,
          p.from_discard ? 1 : 0, static_cast<int>(p.stock_size), static_cast<int>(p.owed),
          static_cast<int>(p.other), static_cast<int>(p.slot), static_cast<int>(p.own)}) {
        add(number);
    }
    for (int q = 0; q < rules.players; ++q) {
        add(p.sizes[q]);
        for (int i = 0; i < p.sizes[q]; ++i) {
            add((p.seen[q][i] >> me & 1) != 0 ? p.hands[q][i] : -1);
            add(p.seen[q][i]);
        }
    }
    add(p.discard_size);
    for (int i = 1; i <= p.discard_size; ++i) add(p.cards[kMostCards - i]);
    add(static_cast<std::int64_t>(refilled));
}

// Adds what the abstractions of the own hand keep to a hash: the own hand, the top discard and the
// drawn card, each by its number in `levels` (-1 if not seen), whether Cambia was called, and the
// own slot looked at with a king.
void fold_hand(Folding& add, const Position& p,
               const std::array<std::uint8_t, kMostCards>& levels) {
    const int me = p.actor;
    const auto level = [&](Card card, bool seen) {
        return card >= 0 && seen ? levels[static_cast<std::size_t>(card)] : -1;
    };
    add(p.sizes[me]);
    for (int i = 0; i < p.sizes[me]; ++i) add(level(p.hands[me][i], p.seen[me][i] >> me & 1));
    add(p.discard_size > 0 ? level(p.top(), true) : -1);
    add(level(p.drawn, p.drawn_seen >> me & 1));
    add(p.caller >= 0 ? 1 : 0);
    add(p.own);
}

}  // namespace

// The abstraction with this name in Python; "" is perfect recall. nullopt if there is none.
std::optional<Memory> memory_named(std::string_view name) {
    if (name.empty()) return Memory::everything;
    if (name == "no_history") return Memory::no_history;
    if (name == "own_hand") return Memory::own_hand;
    if (name == "own_hand_in_buckets") return Memory::own_hand_in_buckets;
    return std::nullopt;
}

// The key of the mover's decision under an abstraction: a hash of the legal actions and of what the
// abstraction keeps.
std::uint64_t position_key(const Rules& rules, const Position& position, Memory memory,
                           std::uint64_t refilled) {
    Folding add;
    fold_actions(add, rules, position);
    if (memory == Memory::no_history) {
        fold_table(add, rules, position, refilled);
    } else {
        const bool exact = memory == Memory::own_hand;
        fold_hand(add, position, exact ? kKindOfCard : kBuckets);
    }
    return add.hash;
}

// The hash of a set of cards, whatever their order.
std::uint64_t hash_of_cards(const Card* cards, int count) {
    std::array<Card, kMostCards> sorted{};
    std::copy_n(cards, count, sorted.begin());
    std::sort(sorted.begin(), sorted.begin() + count);
    std::uint64_t hash = 0;
    for (int i = 0; i < count; ++i) hash = extend_hash(hash, sorted[static_cast<std::size_t>(i)]);
    return hash;
}

}  // namespace fogtree::cambia
