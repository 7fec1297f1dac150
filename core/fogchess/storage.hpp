// Memory for millions of records: huge pages where the system has them, no clearing before use,
// and the last large blocks kept at hand, since the next belief is as large as the last one.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace fogtree::fogchess {

inline constexpr std::size_t large_block = std::size_t{1} << 21;  // bytes; also a huge page
void* take_large_block(std::size_t bytes);
void give_large_block(void* memory) noexcept;

template <class Record>
struct BulkAllocator {
    static_assert(std::is_trivially_copyable_v<Record>);
    using value_type = Record;

    BulkAllocator() = default;
    template <class Other>
    BulkAllocator(const BulkAllocator<Other>&) {}

    Record* allocate(std::size_t count) {
        if (count > (std::size_t{1} << 40) / sizeof(Record)) throw std::bad_alloc();
        const std::size_t bytes = count * sizeof(Record);
        void* memory = bytes < large_block ? std::malloc(bytes) : take_large_block(bytes);
        if (!memory) throw std::bad_alloc();
        return static_cast<Record*>(memory);
    }
    void deallocate(Record* memory, std::size_t count) noexcept {
        if (count * sizeof(Record) < large_block)
            std::free(memory);
        else
            give_large_block(memory);
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
