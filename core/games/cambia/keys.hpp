// The hash key of what a player of Cambia remembers: all observations, or a named abstraction of
// them.
//
// The same numbers as Python's fogtree.games.cambia.keys makes from what a player is shown; the
// partitions are those of fogtree.games.cambia.keys.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "common/hash.hpp"
#include "games/cambia/position.hpp"

namespace fogtree::cambia {

enum class Memory : std::uint8_t { everything, no_history, own_hand, own_hand_in_buckets };

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
