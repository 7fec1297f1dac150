// The hash key of what a player of Cambia remembers: all observations, or a named abstraction of
// them.
//
// Python's fogtree.games.cambia.keys computes the same keys from a player's views.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "common/hash.hpp"
#include "games/cambia/position.hpp"

namespace fogtree::cambia {

// What a player's key depends on. everything: all observations (perfect recall). no_history: what
// the player sees now, not how it came about. own_hand: of that only the own hand, the top discard,
// the drawn card, whether Cambia was called, and the own slot looked at with a king.
// own_hand_in_buckets: the same, with cards of similar points treated as equal.
enum class Memory : std::uint8_t { everything, no_history, own_hand, own_hand_in_buckets };

// The abstraction with this name in Python, "" for `everything`; nullopt if there is none.
std::optional<Memory> memory_named(std::string_view name);

// The key of a player who has observed nothing yet.
inline std::uint64_t blank_memory(int player) {
    return extend_hash(0, player);
}

// The key of the mover's decision under an abstraction, which depends on the position alone.
// `refilled` is the hash of the cards that last refilled the stock, see `hash_of_cards`.
std::uint64_t position_key(const Rules& rules, const Position& position, Memory memory,
                           std::uint64_t refilled);

// The hash of a set of cards, whatever their order; 0 for no cards.
std::uint64_t hash_of_cards(const Card* cards, int count);

}  // namespace fogtree::cambia
