// Memory for millions of records: huge pages where the system has them, no clearing before use, and
// blocks kept at hand when they are given back, since the next belief is as large as the last one.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace fogtree::fogchess {

// Blocks of at least so many bytes; null if there is no memory. At most 256 MiB are kept at hand.
void* take_block(std::size_t bytes);
void give_block(void* memory, std::size_t bytes) noexcept;

template <class Record>
struct BulkAllocator {
    static_assert(std::is_trivially_copyable_v<Record>);
    using value_type = Record;

    BulkAllocator() = default;
    template <class Other>
    BulkAllocator(const BulkAllocator<Other>&) {}

    Record* allocate(std::size_t count) {
        if (count > (std::size_t{1} << 40) / sizeof(Record)) throw std::bad_alloc();
        void* memory = take_block(count * sizeof(Record));
        if (!memory) throw std::bad_alloc();
        return static_cast<Record*>(memory);
    }
    void deallocate(Record* memory, std::size_t count) noexcept {
        give_block(memory, count * sizeof(Record));
    }

    // Growing leaves the new records as they are; whoever grows a vector fills it.
    template <class Place>
    void construct(Place*) noexcept {}
    template <class Place, class... Values>
    void construct(Place* place, Values&&... values) {
        ::new (static_cast<void*>(place)) Place{std::forward<Values>(values)...};
    }

    template <class Other>
    bool operator==(const BulkAllocator<Other>&) const {
        return true;
    }
};

template <class Record>
using Bulk = std::vector<Record, BulkAllocator<Record>>;

}  // namespace fogtree::fogchess
