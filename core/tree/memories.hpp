// Memories of players by number: a memory is the memory before it and a token, that is, what the
// player noticed since (see enumerable_game.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/hash.hpp"

namespace fogtree {

// Numbers memories in the order in which they are met, by a hash table.
class Memories {
public:
    Memories() : slots_(64, -1) {}

    // The number of the memory that consists of the memory `before` (negative: none, this is a
    // player's first) and `token`; a new memory gets the next number.
    std::int32_t find(std::int32_t before, std::uint32_t token) {
        std::size_t slot = place(before, token);
        for (; slots_[slot] >= 0; slot = (slot + 1) & (slots_.size() - 1)) {
            const auto number = static_cast<std::size_t>(slots_[slot]);
            if (before_[number] == before && token_[number] == token) return slots_[slot];
        }
        const auto number = static_cast<std::int32_t>(before_.size());
        slots_[slot] = number;
        before_.push_back(before);
        token_.push_back(token);
        if (before_.size() * 2 > slots_.size()) rebuild();
        return number;
    }

    std::size_t size() const { return before_.size(); }
    // The memory before a memory; negative at a player's first.
    std::int32_t before(std::int32_t number) const {
        return before_[static_cast<std::size_t>(number)];
    }
    // The token by which a memory differs from the one before it.
    std::uint32_t token(std::int32_t number) const {
        return token_[static_cast<std::size_t>(number)];
    }
    // Frees the hash table; find() must not be called afterwards.
    void close() { slots_ = {}; }

private:
    // The slot of the hash table at which a memory is looked up first.
    std::size_t place(std::int32_t before, std::uint32_t token) const {
        const auto high = static_cast<std::uint64_t>(static_cast<std::uint32_t>(before)) << 32;
        return static_cast<std::size_t>(mix64((high | token) * kGoldenRatio)) & (slots_.size() - 1);
    }

    // Doubles the hash table.
    void rebuild() {
        slots_.assign(slots_.size() * 2, -1);
        for (std::size_t n = 0; n < before_.size(); ++n) {
            std::size_t slot = place(before_[n], token_[n]);
            while (slots_[slot] >= 0) slot = (slot + 1) & (slots_.size() - 1);
            slots_[slot] = static_cast<std::int32_t>(n);
        }
    }

    std::vector<std::int32_t> before_;
    std::vector<std::uint32_t> token_;
    std::vector<std::int32_t> slots_;  // a power of two of them, at most half full; -1: empty
};

}  // namespace fogtree
