#include "storage.hpp"

#include <algorithm>
#include <array>
#include <mutex>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace fogtree::fogchess {

namespace {

// In front of every large block, on the page that comes before the one handed out.
struct Header {
    std::size_t bytes;  // that can be used
};
constexpr std::size_t header_space = 64;

constexpr std::size_t most_spare = 2;
struct Spares {
    std::mutex mutex;
    std::array<void*, most_spare> blocks{};
};
Spares& spares() {
    static Spares* kept = new Spares;  // never destroyed: blocks may come back at exit
    return *kept;
}

Header* header_of(void* memory) {
    return reinterpret_cast<Header*>(static_cast<char*>(memory) - header_space);
}

// A spare block that is large enough, and not so large that it would be wasted.
void* take_spare(std::size_t bytes) {
    Spares& kept = spares();
    const std::lock_guard lock(kept.mutex);
    for (void*& block : kept.blocks)
        if (block && header_of(block)->bytes >= bytes && header_of(block)->bytes / 4 <= bytes)
            return std::exchange(block, nullptr);
    return nullptr;
}

}  // namespace

void* take_large_block(std::size_t bytes) {
    if (void* spare = take_spare(bytes)) return spare;
    const std::size_t whole = (bytes + header_space + large_block - 1) / large_block * large_block;
    void* start = std::aligned_alloc(large_block, whole);
    if (!start) return nullptr;
#if defined(__linux__)
    madvise(start, whole, MADV_HUGEPAGE);  // advice: if it is refused, nothing is lost
#endif
    void* memory = static_cast<char*>(start) + header_space;
    header_of(memory)->bytes = whole - header_space;
    return memory;
}

void give_large_block(void* memory) noexcept {
    Spares& kept = spares();
    void* dropped = memory;
    {
        // Keep the largest ones.
        const std::lock_guard lock(kept.mutex);
        for (void*& block : kept.blocks) {
            if (block && header_of(block)->bytes >= header_of(dropped)->bytes) continue;
            std::swap(block, dropped);
            if (!dropped) return;
        }
    }
    std::free(static_cast<char*>(dropped) - header_space);
}

}  // namespace fogtree::fogchess
