// What a player of Cambia keeps in mind, as one number: everything noticed, or less under a name.
//
// The same numbers as Python's fogtree.games.cambia.keys makes from what a player is shown; the
// partitions are those of fogtree.games.cambia.abstraction.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "../cambia/position.hpp"
#include "random.hpp"

namespace fogtree {

enum class CambiaMemory : std::uint8_t { everything, no_history, own_hand, own_hand_in_buckets };

std::optional<CambiaMemory> cambia_memory(std::string_view name);

// Grows a hash by one number.
inline std::uint64_t fold(std::uint64_t hash, std::int64_t number) {
    return scramble(hash + kGolden + static_cast<std::uint64_t>(number));
}

// Before anything was noticed.
inline std::uint64_t blank_memory(int player) {
    return fold(0, player);
}

// The key of the mover's decision when all but the table is forgotten. `refilled` is the hash of
// the cards that last refilled the stock, see `hash_of_cards`.
std::uint64_t cambia_table_key(const cambia::Rules& rules, const cambia::Position& position,
                               CambiaMemory memory, std::uint64_t refilled);

// Of cards in any order; 0 for none.
std::uint64_t hash_of_cards(const cambia::Card* cards, int count);

}  // namespace fogtree
