#include "sampling/growing_table.hpp"

#include <algorithm>
#include <bit>

#include "common/hash.hpp"
#include "sampling/trainer.hpp"

namespace fogtree {

namespace {
constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kSmallest = 1u << 10;  // slots of the index; always a power of two
constexpr std::size_t kSlotBytes = sizeof(std::uint64_t) + sizeof(std::uint32_t);

// Whether an index of `slots` slots is more than two thirds full with this many records.
bool crowded(std::size_t records, std::size_t slots) {
    return records * 3 > slots * 2;
}
}  // namespace

GrowingTable::GrowingTable() : keys_(kSmallest), numbers_(kSmallest, kNone) {}

// The place of a key in the index, or the free one that it would get.
std::size_t GrowingTable::place(std::uint64_t key) const {
    const std::size_t mask = keys_.size() - 1;
    std::size_t slot = mix64(key) & mask;
    while (numbers_[slot] != kNone && keys_[slot] != key) slot = (slot + 1) & mask;
    return slot;
}

// The record with this key; null if there is none.
GrowingTable::Record* GrowingTable::find(std::uint64_t key) const {
    const std::uint32_t number = numbers_[place(key)];
    return number == kNone ? nullptr : record(number);
}

// The record with this key, and whether it was added now.
std::pair<GrowingTable::Record*, bool> GrowingTable::find_or_add(std::uint64_t key, int actions,
                                                                 std::size_t units) {
    std::size_t slot = place(key);
    if (numbers_[slot] != kNone) return {record(numbers_[slot]), false};
    if (crowded(size_ + 1, keys_.size())) {
        grow_index();
        slot = place(key);
    }
    Record* made = append(key, actions, units);
    keys_[slot] = key;
    const std::size_t chunk = chunks_.size() - 1;
    numbers_[slot] = static_cast<std::uint32_t>(chunk * kChunk + used_[chunk] - kHeader - units);
    ++size_;
    return {made, true};
}

// Adds a record of zeros, with room for `units` of 8 bytes behind its header, at the end of the
// last chunk, or in a new chunk where it does not fit. Throws OutOfMemory if a new chunk exceeds
// the limit.
GrowingTable::Record* GrowingTable::append(std::uint64_t key, int actions, std::size_t units) {
    const std::size_t needed = kHeader + units;
    if (needed > kChunk) throw std::length_error("an information set is too large");
    if (chunks_.empty() || used_.back() + needed > kChunk) {
        const bool numbered = (chunks_.size() + 1) * kChunk <= kNone;
        if (bytes() + kChunk * 8 > limit_ || !numbered) throw OutOfMemory();
        chunks_.push_back(std::make_unique_for_overwrite<std::uint64_t[]>(kChunk));
        used_.push_back(0);
    }
    std::uint64_t* start = chunks_.back().get() + used_.back();
    used_.back() += static_cast<std::uint32_t>(needed);
    std::memset(start, 0, needed * 8);
    return new (start)
        Record{key, static_cast<std::uint32_t>(actions), static_cast<std::uint32_t>(units)};
}

// Doubles the hash index, and enters all records again. Throws OutOfMemory if that exceeds the
// limit.
void GrowingTable::grow_index() {
    const std::size_t slots = keys_.size() * 2;
    if (bytes() + slots * kSlotBytes > limit_) throw OutOfMemory();
    std::vector<std::uint64_t> keys(slots);
    std::vector<std::uint32_t> numbers(slots, kNone);
    keys.swap(keys_);
    numbers.swap(numbers_);
    for (std::size_t old = 0; old < keys.size(); ++old) {
        if (numbers[old] == kNone) continue;
        const std::size_t slot = place(keys[old]);
        keys_[slot] = keys[old];
        numbers_[slot] = numbers[old];
    }
}

// The bytes of index and chunks, and those that the walk keeps outside of the table.
std::size_t GrowingTable::bytes() const {
    return keys_.size() * kSlotBytes + chunks_.size() * kChunk * 8 + outside_;
}

// Sets the bytes that a walk keeps outside of the table; throws OutOfMemory if that exceeds the
// limit.
void GrowingTable::count_outside(std::size_t bytes) {
    outside_ = bytes;
    if (bytes > 0 && this->bytes() > limit_) throw OutOfMemory();
}

// An upper bound on the bytes of index and chunks after adding records with `units` units in all.
// While the index grows, the old one of half the size exists too. A chunk is at least half full
// when the next begins, as long as no record takes more than half of one.
std::size_t GrowingTable::bytes_with(std::size_t records, std::size_t units) const {
    std::size_t slots = keys_.size(), most = slots;
    while (crowded(size_ + records, slots)) {
        slots *= 2;
        most = slots + slots / 2;
    }
    const std::size_t least_used = std::max<std::size_t>(kChunk / 2, 1);
    const std::size_t chunks = (units + records * kHeader) / least_used + 1;
    return most * kSlotBytes + (chunks_.size() + chunks) * kChunk * 8;
}

// Removes all records; the limit stays.
void GrowingTable::clear() {
    const std::size_t limit = limit_;
    *this = GrowingTable();
    limit_ = limit;
}

}  // namespace fogtree
