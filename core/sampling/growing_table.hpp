// A growing hash table of information sets: an index over records that never move.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

namespace fogtree {

// Records are kept, and gone through, in the order in which they were made.
class GrowingTable {
public:
    // One information set: its key, and the room for its numbers behind it.
    struct Record {
        std::uint64_t key;
        std::uint32_t actions;
        std::uint32_t units;  // eight bytes each, of what follows
        std::uint64_t* data() { return reinterpret_cast<std::uint64_t*>(this + 1); }
        const std::uint64_t* data() const {
            return reinterpret_cast<const std::uint64_t*>(this + 1);
        }
    };

    GrowingTable();

    Record* find(std::uint64_t key) const;
    // The record with this key; a new one is all zero bytes, with room for `units`.
    // Throws OutOfMemory where that would take more bytes than the limit.
    std::pair<Record*, bool> find_or_add(std::uint64_t key, int actions, std::size_t units);

    // Visits all records in the order in which they were added.
    template <class Visit>
    void each(Visit&& visit) const {
        for (std::size_t c = 0; c < chunks_.size(); ++c) {
            for (std::size_t u = 0; u < used_[c];) {
                auto* record = reinterpret_cast<Record*>(chunks_[c].get() + u);
                visit(*record);
                u += kHeader + record->units;
            }
        }
    }

    std::size_t size() const { return size_; }
    std::size_t bytes() const;
    // An upper bound on the bytes needed after adding `records` records with `units` units in all,
    // including the peak while the index grows.
    std::size_t bytes_with(std::size_t records, std::size_t units) const;
    void limit(std::size_t bytes) { limit_ = bytes; }
    // Counts `bytes` that the walk keeps outside of the table against the limit; they replace the
    // number given before. Throws OutOfMemory like `find_or_add`.
    void count_outside(std::size_t bytes);
    // As new, but for the limit. Nothing is kept, so that what fits does not depend on what once
    // was there.
    void clear();

private:
    static constexpr std::size_t kHeader = sizeof(Record) / 8;
    static constexpr std::size_t kChunk = 1u << 15;  // units: 256 kB

    std::size_t place(std::uint64_t key) const;
    Record* record(std::uint32_t number) const {
        return reinterpret_cast<Record*>(chunks_[number / kChunk].get() + number % kChunk);
    }
    void grow_index();
    Record* append(std::uint64_t key, int actions, std::size_t units);

    std::vector<std::uint64_t> keys_;
    std::vector<std::uint32_t> numbers_;  // kNone: free
    std::vector<std::unique_ptr<std::uint64_t[]>> chunks_;
    std::vector<std::uint32_t> used_;
    std::size_t size_ = 0;
    std::size_t outside_ = 0;  // bytes, see count_outside
    std::size_t limit_ = std::numeric_limits<std::size_t>::max();
};

}  // namespace fogtree
