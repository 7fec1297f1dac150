#include "games/fog_chess/collector.hpp"

#include <algorithm>
#include <utility>

#include "common/thread_team.hpp"

namespace fogtree::fog_chess {

namespace {
constexpr std::size_t ahead = 12;  // candidates whose slot is fetched before it is needed
}

// The seed gives the odd multiplier of the random order in which candidates are kept up to the cap.
// Each thread has one outbox for each partition.
Collector::Collector(std::size_t cap, std::uint64_t seed, int threads, std::uint64_t threshold)
    : cap_(cap),
      multiplier_(seed | 1),
      threshold_(threshold),
      threads_(threads),
      partitions_(partition_count),
      in_bin_(static_cast<std::size_t>(threads)) {
    outbox_.resize(static_cast<std::size_t>(threads));
    for (auto& boxes : outbox_) boxes.resize(partition_count);
}

// Adds a key to the open-addressing hash set; false if it is there already.
bool Collector::Partition::add_key(std::uint64_t key) {
    const std::size_t mask = keys.size() - 1;
    for (std::size_t slot = key & mask;; slot = (slot + 1) & mask) {
        if (keys[slot] == key) return false;
        if (keys[slot] != 0) continue;
        keys[slot] = key;
        return true;
    }
}

// Doubles the hash set of keys, and adds all kept candidates to it again.
void Collector::Partition::grow() {
    keys.assign(std::max<std::size_t>(64, keys.size() * 2), 0);
    for (const Candidate& candidate : kept)
        if (candidate.key != 0) add_key(candidate.key);
}

// Adds a candidate; false if an equal one is there already.
bool Collector::Partition::insert(const Candidate& candidate) {
    if (2 * (kept.size() + 1) > keys.size()) grow();
    const bool is_new =
        candidate.key != 0 ? add_key(candidate.key) : !std::exchange(has_zero_key, true);
    if (is_new) kept.push_back(candidate);
    return is_new;
}

// The number of distinct candidates in all partitions.
std::size_t Collector::size() const {
    std::size_t total = 0;
    for (const Partition& part : partitions_) total += part.kept.size();
    return total;
}

// Moves the candidates that threads have offered into the partitions, without duplicates, and
// counts them by bin. Each thread does some of the partitions.
void Collector::take_in() {
    run_on_threads(threads_, [this](int thread) {
        const Share mine = share_of(partition_count, threads_, thread);
        auto& in_bin = in_bin_[static_cast<std::size_t>(thread)];
        for (std::size_t index = mine.begin; index < mine.end; ++index) {
            Partition& part = partitions_[index];
            for (auto& boxes : outbox_) {
                RecycledVector<Candidate>& box = boxes[index];
                for (std::size_t number = 0; number < box.size(); ++number) {
                    part.prefetch(box[std::min(number + ahead, box.size() - 1)].key);
                    if (part.insert(box[number]))
                        ++in_bin[bin(order(box[number].key, multiplier_))];
                }
                box.clear();
            }
        }
    });
}

// The bin in which the candidate number `cap` of the random order falls.
std::size_t Collector::bin_with_cap() const {
    std::size_t total = 0;
    for (std::size_t number = 0; number < place_bins; ++number) {
        for (const auto& in_bin : in_bin_) total += in_bin[number];
        if (total >= cap_) return number;
    }
    return place_bins - 1;
}

// Moves the offered candidates into the partitions. If more than the cap are kept, lowers the
// threshold to the end of the bin that contains candidate number `cap` of the random order.
void Collector::settle() {
    take_in();
    if (size() <= cap_) return;
    const std::uint64_t end = std::uint64_t{bin_with_cap()} + 1;
    threshold_ = (end << (64 - place_bits)) - 1;
}

// The place in the random order of the last candidate that the cap leaves room for.
std::uint64_t Collector::place_of_last() const {
    const std::size_t last_bin = bin_with_cap();
    std::size_t before = 0;
    std::vector<std::uint64_t> places;
    for (const auto& in_bin : in_bin_)
        for (std::size_t number = 0; number < last_bin; ++number) before += in_bin[number];
    for (const Partition& part : partitions_) {
        for (const Candidate& candidate : part.kept) {
            const std::uint64_t place = order(candidate.key, multiplier_);
            if (bin(place) == last_bin) places.push_back(place);
        }
    }
    const auto last = places.begin() + static_cast<std::ptrdiff_t>(cap_ - before) - 1;
    std::nth_element(places.begin(), last, places.end());
    return *last;
}

// Takes in the last candidates and keeps the first `cap` of the random order; true if any had to
// go.
bool Collector::finish() {
    take_in();
    if (size() <= cap_) return false;
    threshold_ = place_of_last();
    run_on_threads(threads_, [this](int thread) {
        const Share mine = share_of(partition_count, threads_, thread);
        for (std::size_t index = mine.begin; index < mine.end; ++index)
            std::erase_if(partitions_[index].kept, [this](const Candidate& candidate) {
                return order(candidate.key, multiplier_) > threshold_;
            });
    });
    return true;
}

}  // namespace fogtree::fog_chess
