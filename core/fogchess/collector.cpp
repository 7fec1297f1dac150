#include "collector.hpp"

#include <algorithm>
#include <utility>

#include "parallel.hpp"

namespace fogtree::fogchess {

namespace {
constexpr std::size_t ahead = 12;  // candidates whose slot is fetched before it is needed
}

Collector::Collector(std::size_t cap, std::uint64_t seed, int threads)
    : cap_(cap), multiplier_(seed | 1), threads_(threads), partitions_(partition_count) {
    outbox_.resize(static_cast<std::size_t>(threads));
    for (auto& boxes : outbox_) boxes.resize(partition_count);
}

bool Collector::Partition::add_key(std::uint64_t key) {
    const std::size_t mask = keys.size() - 1;
    for (std::size_t slot = key & mask;; slot = (slot + 1) & mask) {
        if (keys[slot] == key) return false;
        if (keys[slot] != 0) continue;
        keys[slot] = key;
        return true;
    }
}

void Collector::Partition::grow() {
    keys.assign(std::max<std::size_t>(64, keys.size() * 2), 0);
    for (const Candidate& candidate : kept)
        if (candidate.key != 0) add_key(candidate.key);
}

void Collector::Partition::insert(const Candidate& candidate) {
    if (2 * (kept.size() + 1) > keys.size()) grow();
    const bool is_new =
        candidate.key != 0 ? add_key(candidate.key) : !std::exchange(has_zero_key, true);
    if (is_new) kept.push_back(candidate);
}

std::size_t Collector::size() const {
    std::size_t total = 0;
    for (const Partition& part : partitions_) total += part.kept.size();
    return total;
}

void Collector::take_in() {
    in_parallel(threads_, [this](int thread) {
        const Share mine = share(partition_count, threads_, thread);
        for (std::size_t index = mine.begin; index < mine.end; ++index)
            for (auto& boxes : outbox_) {
                Bulk<Candidate>& box = boxes[index];
                for (std::size_t number = 0; number < box.size(); ++number) {
                    partitions_[index].prefetch(box[std::min(number + ahead, box.size() - 1)].key);
                    partitions_[index].insert(box[number]);
                }
                box.clear();
            }
    });
}

void Collector::reduce_to_cap() {
    std::vector<std::uint64_t> places;
    places.reserve(size());
    for (const Partition& part : partitions_)
        for (const Candidate& candidate : part.kept)
            places.push_back(order(candidate.key, multiplier_));
    const auto last = places.begin() + static_cast<std::ptrdiff_t>(cap_) - 1;
    std::nth_element(places.begin(), last, places.end());
    threshold_ = *last;
    in_parallel(threads_, [this](int thread) {
        const Share mine = share(partition_count, threads_, thread);
        for (std::size_t index = mine.begin; index < mine.end; ++index) {
            Partition& part = partitions_[index];
            std::erase_if(part.kept, [this](const Candidate& candidate) {
                return order(candidate.key, multiplier_) > threshold_;
            });
            part.has_zero_key = std::any_of(part.kept.begin(), part.kept.end(),
                                            [](const Candidate& one) { return one.key == 0; });
            std::fill(part.keys.begin(), part.keys.end(), 0);
            for (const Candidate& candidate : part.kept)
                if (candidate.key != 0) part.add_key(candidate.key);
        }
    });
}

void Collector::settle() {
    take_in();
    if (size() > cap_ + cap_ / 2) reduce_to_cap();
}

bool Collector::finish() {
    take_in();
    if (size() > cap_) reduce_to_cap();
    return threshold_ != ~std::uint64_t{0};
}

}  // namespace fogtree::fogchess
