// A growing hash table of information sets: an index over records that never move.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

namespace fogtree {

// Finds records by key in a hash index; records lie in chunks of memory, in the order in which they
// were added.
class GrowingTable {
public:
    // One information set: its key, and the room for its numbers behind it.
    struct Record {
        std::uint64_t key;
        std::uint32_t actions;
        std::uint32_t units;  // the length of data(), in units of eight bytes
        std::uint64_t* data() { return reinterpret_cast<std::uint64_t*>(this + 1); }
        const std::uint64_t* data() const {
            return reinterpret_cast<const std::uint64_t*>(this + 1);
        }
    };

    GrowingTable();

    Record* find(std::uint64_t key) const;
    // The record with this key, and whether it was added now; a new one has `units` units of zeros.
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

    std::size_t size() const { return size_; }  // number of records
    std::size_t bytes() const;                  // with those counted by count_outside()
    // An upper bound on the table's bytes after adding `records` records with `units` units in all,
    // including the peak while the index grows.
    std::size_t bytes_with(std::size_t records, std::size_t units) const;
    // Sets the most bytes that the table may take.
    void limit(std::size_t bytes) { limit_ = bytes; }
    // Counts `bytes` that the walk keeps outside of the table against the limit; they replace the
    // number given before. Throws OutOfMemory like `find_or_add`.
    void count_outside(std::size_t bytes);
    // Removes all records and their memory, so that what fits afterwards does not depend on what
    // was there before; the limit stays.
    void clear();

private:
    static constexpr std::size_t kHeader = sizeof(Record) / 8;
    static constexpr std::size_t kChunk = 1u << 15;  // units: 256 kB

    std::size_t place(std::uint64_t key) const;
    // The record that begins at unit `number`, counted through all chunks.
    Record* record(std::uint32_t number) const {
        return reinterpret_cast<Record*>(chunks_[number / kChunk].get() + number % kChunk);
    }
    void grow_index();
    Record* append(std::uint64_t key, int actions, std::size_t units);

    // The index: keys, and where their records begin (kNone: a free slot).
    std::vector<std::uint64_t> keys_;
    std::vector<std::uint32_t> numbers_;
    std::vector<std::unique_ptr<std::uint64_t[]>> chunks_;
    std::vector<std::uint32_t> used_;  // units, per chunk
    std::size_t size_ = 0;
    std::size_t outside_ = 0;  // bytes, see count_outside
    std::size_t limit_ = std::numeric_limits<std::size_t>::max();
};

}  // namespace fogtree
