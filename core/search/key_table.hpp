// A hash table of small values by 64-bit keys, in one array, so that it is released in one call:
// the player waits while the table of a large tree is released.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/hash.hpp"

namespace fogtree::search {

// A hash table by 64-bit keys. No stored value is Value{}, which `find` returns for a missing key.
template <class Value>
class KeyTable {
public:
    // The value of a key; Value{} if it is missing.
    Value find(std::uint64_t key) const {
        return slots_.empty() ? Value{} : slots_[place(key)].value;
    }

    // Stores the value of a key; a key that is there already gets the new one.
    void add(std::uint64_t key, Value value) {
        if (3 * (size_ + 1) > 2 * slots_.size()) grow();
        Slot& slot = slots_[place(key)];
        size_ += slot.value == Value{};
        slot = {key, value};
    }

    std::size_t size() const { return size_; }

    // The most bytes that a key takes, except while the table grows.
    static constexpr std::size_t kBytes = 3 * 16;

private:
    // A slot is free if its value is Value{}.
    struct Slot {
        std::uint64_t key;
        Value value;
    };
    static_assert(sizeof(Slot) <= 16);
    static constexpr std::size_t kFirst = 16;  // slots; always a power of two

    // The slot of a key, or the free one that it would get.
    std::size_t place(std::uint64_t key) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = static_cast<std::size_t>(mix64(key)) & mask;
        while (slots_[at].value != Value{} && slots_[at].key != key) at = (at + 1) & mask;
        return at;
    }

    // Doubles the table.
    void grow() {
        std::vector<Slot> old(slots_.empty() ? kFirst : 2 * slots_.size());
        old.swap(slots_);
        for (const Slot& slot : old) {
            if (slot.value != Value{}) slots_[place(slot.key)] = slot;
        }
    }

    std::vector<Slot> slots_;
    std::size_t size_ = 0;
};

}  // namespace fogtree::search
