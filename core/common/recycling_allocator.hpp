// An allocator for vectors of millions of plain records: memory comes in huge pages, is not cleared
// before use, and is kept for the next vector when it is released.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace fogtree {

// A block of at least `bytes`, or null if there is no memory. Released blocks are kept for reuse,
// up to 256 MiB of them.
void* take_block(std::size_t bytes);
// Releases a block that take_block() returned for as many bytes.
void give_block(void* memory, std::size_t bytes) noexcept;
// Gives all blocks that are kept back to the system.
void free_kept_blocks() noexcept;

// A standard allocator for plain records. Its memory is not cleared, and released memory is kept
// for reuse as take_block() says.
template <class Record>
struct RecyclingAllocator {
    static_assert(std::is_trivially_copyable_v<Record>);
    using value_type = Record;

    RecyclingAllocator() = default;
    template <class Other>
    RecyclingAllocator(const RecyclingAllocator<Other>&) {}

    // Memory for `count` records. More than 2^40 bytes (1 TiB) are refused with std::bad_alloc, so
    // that the product with the size cannot overflow.
    Record* allocate(std::size_t count) {
        if (count > (std::size_t{1} << 40) / sizeof(Record)) throw std::bad_alloc();
        void* memory = take_block(count * sizeof(Record));
        if (!memory) throw std::bad_alloc();
        return static_cast<Record*>(memory);
    }
    void deallocate(Record* memory, std::size_t count) noexcept {
        give_block(memory, count * sizeof(Record));
    }

    // Called by std::vector for each new record: without values the record stays uninitialised, and
    // the vector's user fills it.
    template <class Place>
    void construct(Place*) noexcept {}
    template <class Place, class... Values>
    void construct(Place* place, Values&&... values) {
        ::new (static_cast<void*>(place)) Place{std::forward<Values>(values)...};
    }

    template <class Other>
    bool operator==(const RecyclingAllocator<Other>&) const {
        return true;
    }
};

// A vector whose memory is recycled; resize() leaves new records uninitialised.
template <class Record>
using RecycledVector = std::vector<Record, RecyclingAllocator<Record>>;

}  // namespace fogtree
