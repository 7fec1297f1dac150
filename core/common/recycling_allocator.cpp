#include "common/recycling_allocator.hpp"

#include <array>
#include <bit>
#include <cstdlib>
#include <mutex>

#include "common/huge_pages.hpp"

namespace fogtree {

namespace {

constexpr std::size_t smallest_kept = std::size_t{1} << 14;  // 16 KiB: smaller blocks use malloc
constexpr std::size_t most_kept = std::size_t{1} << 28;      // 256 MiB in all spare blocks

// Spare blocks by size; sizes are powers of two.
struct Spares {
    std::mutex mutex;
    std::array<std::vector<void*>, 48> blocks;  // blocks[k]: of 2^k bytes
    std::size_t bytes = 0;
};
// The spare blocks of the process.
Spares& spares() {
    static Spares* kept = new Spares;  // never destroyed: blocks may come back at exit
    return *kept;
}

// The least k with 2^k >= bytes: blocks of this class have 2^k bytes.
std::size_t size_class(std::size_t bytes) {
    return static_cast<std::size_t>(std::bit_width(bytes - 1));
}

// A kept block of this size class (2^wanted bytes); nullptr if none is kept.
void* take_spare(std::size_t wanted) {
    Spares& kept = spares();
    const std::lock_guard lock(kept.mutex);
    std::vector<void*>& blocks = kept.blocks[wanted];
    if (blocks.empty()) return nullptr;
    void* memory = blocks.back();
    blocks.pop_back();
    kept.bytes -= std::size_t{1} << wanted;
    return memory;
}

// Keeps a block of a size class (2^number bytes) for later use; false, and not kept, if that would
// exceed the bytes kept at most.
bool keep_spare(void* memory, std::size_t number) noexcept try {
    Spares& kept = spares();
    const std::lock_guard lock(kept.mutex);
    if (kept.bytes + (std::size_t{1} << number) > most_kept) return false;
    kept.blocks[number].push_back(memory);
    kept.bytes += std::size_t{1} << number;
    return true;
} catch (...) {
    return false;
}

}  // namespace

// A block of at least `bytes`: a kept one if there is any, else a new one.
void* take_block(std::size_t bytes) {
    if (bytes < smallest_kept) return std::malloc(bytes);
    const std::size_t wanted = size_class(bytes);
    if (void* spare = take_spare(wanted)) return spare;
    const std::size_t whole = std::size_t{1} << wanted;
    if (whole < kHugePage) return std::malloc(whole);
    void* memory = std::aligned_alloc(kHugePage, whole);
    if (memory) advise_huge_pages(memory, whole);
    return memory;
}

// Releases a block: kept for reuse if it is large and there is room among the spares, else freed.
void give_block(void* memory, std::size_t bytes) noexcept {
    if (bytes < smallest_kept || !keep_spare(memory, size_class(bytes))) std::free(memory);
}

// Gives all kept blocks back to the system.
void free_kept_blocks() noexcept {
    Spares& kept = spares();
    const std::lock_guard lock(kept.mutex);
    for (std::vector<void*>& blocks : kept.blocks) {
        for (void* memory : blocks) std::free(memory);
        blocks.clear();
    }
    kept.bytes = 0;
}

}  // namespace fogtree
