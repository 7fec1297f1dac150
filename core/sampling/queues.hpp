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
    kEnd,
    kPass,  // chance, or one action
    kOwn,   // up to 4 actions, then up to 8, then more or unknown
    kOther = kOwn + 3,
    kKinds = kOther + 3
};

// The kind of a position by its form, from one traverser's side.
class KindTable {
public:
    // By form: four widths for each mover, from kTerminal (the least number) on.
    KindTable(int players, int traverser) {
        for (int player = kTerminal; player < players; ++player) {
            for (int width = 0; width < 4; ++width)
                kinds_.push_back(kind(player, width, traverser));
        }
    }
    const std::uint8_t* by_form() const { return kinds_.data(); }

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

// Numbers of walks by kind. The lengths share a register, a byte each.
template <int kMost>
class Queues {
public:
    // Appends a walk to the queue of a kind.
    void add(unsigned kind, std::uint8_t number) {
        const unsigned shift = 8 * kind;
        numbers_[kind * kMost + (counts_ >> shift & 0xff)] = number;
        counts_ += std::uint64_t{1} << shift;
    }
    // All are of one kind.
    void add_all(unsigned kind, const std::array<std::uint8_t, kMost>& numbers, int count) {
        std::copy_n(numbers.begin(), kMost, numbers_.begin() + kind * kMost);
        counts_ = static_cast<std::uint64_t>(count) << 8 * kind;
    }
    int count(unsigned kind) const { return static_cast<int>(counts_ >> 8 * kind & 0xff); }
    std::uint8_t get(unsigned kind, int i) const {
        return numbers_[kind * kMost + static_cast<std::size_t>(i)];
    }

private:
    static_assert(kMost <= 0xff && 8 * kKinds <= 64);

    std::uint64_t counts_ = 0;
    std::array<std::uint8_t, kKinds * kMost> numbers_;
};

}  // namespace fogtree
