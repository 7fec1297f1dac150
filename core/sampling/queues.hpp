// Queues of walks that run side by side, sorted by the kind of position they are at.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tree/flat_tree.hpp"

namespace fogtree {

// The kind of a position. Positions of one kind are processed one after the other by the same code,
// so that the processor predicts its branches.
enum Kind : std::uint8_t {
    kEnd,               // the game is over
    kPass,              // chance, or one action
    kOwn,               // the traverser's: up to 4 actions, then up to 8, then more or unknown
    kOther = kOwn + 3,  // another player's, likewise
    kKinds = kOther + 3
};

// The kind of a position by its form, from one traverser's side.
class KindTable {
public:
    // Fills the table: forms (form_of) have four widths for each mover, from kTerminal on.
    KindTable(int players, int traverser) {
        for (int player = kTerminal; player < players; ++player) {
            for (int width = 0; width < 4; ++width)
                kinds_.push_back(kind(player, width, traverser));
        }
    }
    const std::uint8_t* by_form() const { return kinds_.data(); }  // an array of kinds

private:
    // The kind of a position by its mover and its width: 0 for a single action, 1 to 3 for up to 4,
    // up to 8 and more actions.
    static std::uint8_t kind(int player, int width, int traverser) {
        if (player == kTerminal) return kEnd;
        if (player == kChance || width == 0) return kPass;
        return static_cast<std::uint8_t>((player == traverser ? kOwn : kOther) + width - 1);
    }

    std::vector<std::uint8_t> kinds_;
};

// A queue of walk numbers for every kind, of at most kMost walks each. The lengths of all queues
// share one 64-bit number, a byte each, so that they stay in a register.
template <int kMost>
class Queues {
public:
    // Appends the number of a walk to the queue of a kind.
    void add(unsigned kind, std::uint8_t number) {
        const unsigned shift = 8 * kind;
        numbers_[kind * kMost + (counts_ >> shift & 0xff)] = number;
        counts_ += std::uint64_t{1} << shift;
    }
    // Makes the first `count` of these walks the queue of one kind, and all other queues empty.
    void add_all(unsigned kind, const std::array<std::uint8_t, kMost>& numbers, int count) {
        std::copy_n(numbers.begin(), kMost, numbers_.begin() + kind * kMost);
        counts_ = static_cast<std::uint64_t>(count) << 8 * kind;
    }
    // The length of the queue of a kind.
    int count(unsigned kind) const { return static_cast<int>(counts_ >> 8 * kind & 0xff); }
    // Walk i in the queue of a kind.
    std::uint8_t get(unsigned kind, int i) const {
        return numbers_[kind * kMost + static_cast<std::size_t>(i)];
    }

private:
    static_assert(kMost <= 0xff && 8 * kKinds <= 64);

    std::uint64_t counts_ = 0;
    std::array<std::uint8_t, kKinds * kMost> numbers_;
};

}  // namespace fogtree
