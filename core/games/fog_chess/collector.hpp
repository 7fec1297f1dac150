// Distinct children of many parents, at most a given number of them, chosen without bias.
//
// Cohen & Kaplan, "Summarizing data using bottom-k sketches" (2007): every distinct position has a
// place in a random order, and those that come first stay. A child met twice has the same place
// both times, so duplicates change nothing, and a position beyond the last place is dropped at
// once. Deviations: equality is equality of 64-bit Zobrist keys.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/recycling_allocator.hpp"
#include "games/fog_chess/kernel.hpp"

namespace fogtree::fog_chess {

// Collects candidates from several threads.
class Collector {
public:
    // `threshold` is a guess of where the random order will be cut off; it was too early if fewer
    // candidates than the cap come before it.
    Collector(std::size_t cap, std::uint64_t seed, int threads,
              std::uint64_t threshold = ~std::uint64_t{0});

    // Candidates whose place in the order is later than this need not be offered.
    std::uint64_t threshold() const { return threshold_; }
    std::uint64_t multiplier() const { return multiplier_; }  // of the random order, see order()

    // Puts a candidate into the thread's outbox; it counts from the next settle() on. Partitions
    // are by the highest bits of the key.
    void offer(int thread, const Candidate& candidate) {
        outbox_[static_cast<std::size_t>(thread)][candidate.key >> partition_shift].push_back(
            candidate);
    }
    // Takes in all outboxes, thread by thread, and lowers the threshold if there are too many.
    void settle();
    // Takes in all outboxes and drops what exceeds the cap. Returns whether there was more than
    // that.
    bool finish();

    std::size_t size() const;  // distinct candidates taken in, with those beyond the threshold
    // The distinct candidates of one partition; their order depends on the parents' order, not on
    // the threads.
    const RecycledVector<Candidate>& partition(int index) const {
        return partitions_[static_cast<std::size_t>(index)].kept;
    }

    static constexpr int partition_bits = 8;
    static constexpr int partition_count = 1 << partition_bits;

private:
    static constexpr int partition_shift = 64 - partition_bits;
    static constexpr int place_bits = 10;
    static constexpr std::size_t place_bins = std::size_t{1} << place_bits;

    // The candidates whose keys fall into one part of the key space, for one thread at a time.
    struct Partition {
        RecycledVector<Candidate> kept;      // some may have fallen behind the threshold since
        RecycledVector<std::uint64_t> keys;  // open addressing, 0 is free
        bool has_zero_key = false;

        bool insert(const Candidate& candidate);
        // Fetches a key's slot of the hash set into the cache, to be written to.
        void prefetch(std::uint64_t key) const {
            if (!keys.empty()) __builtin_prefetch(&keys[key & (keys.size() - 1)], 1);
        }
        void grow();
        bool add_key(std::uint64_t key);
    };

    // The bin of a place in the random order: its highest bits.
    static std::size_t bin(std::uint64_t place) { return place >> (64 - place_bits); }
    void take_in();
    std::size_t bin_with_cap() const;  // the bin of candidate number `cap` in the random order
    std::uint64_t place_of_last() const;

    std::size_t cap_;
    std::uint64_t multiplier_;  // of the random order
    std::uint64_t threshold_;
    int threads_;
    std::vector<Partition> partitions_;
    std::vector<std::array<std::uint32_t, place_bins>> in_bin_;   // thread, place: how many it kept
    std::vector<std::vector<RecycledVector<Candidate>>> outbox_;  // thread, partition
};

}  // namespace fogtree::fog_chess
