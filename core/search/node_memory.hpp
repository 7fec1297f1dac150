// Memory for the nodes of a search tree. Nodes never move; the tree takes memory in chunks and
// releases all chunks at once, for use by the next tree.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include "common/huge_pages.hpp"

namespace fogtree::search {

inline constexpr std::size_t kChunk = kHugePage;

inline constexpr std::size_t kPage = 4096;
// A growing tree reserves half as much memory as it uses for the next tree, up to this many chunks:
// what is carried over is copied while the player waits, and fresh memory would take longer.
inline constexpr std::size_t kReserve = 16;

// The least multiple of kChunk that is at least `bytes`.
inline std::size_t whole_chunks(std::size_t bytes) {
    return (bytes + kChunk - 1) / kChunk * kChunk;
}

// Gives a chunk back to the system.
struct FreeChunk {
    std::size_t size;
    void operator()(std::byte* chunk) const {
#if defined(__linux__)
        munmap(chunk, size);
#else
        ::operator delete(chunk, std::align_val_t{kChunk});
#endif
    }
};
using Chunk = std::unique_ptr<std::byte[], FreeChunk>;

#if defined(__linux__)
// `size` bytes, a multiple of kChunk, that begin at a multiple of kChunk; null if there is no
// memory. Takes pages from the system directly, so that they can be given back when a search ends:
// more than needed, of which both ends are given back at once. `large` asks for huge pages.
inline std::byte* aligned_pages(std::size_t size, bool large) {
    void* found =
        mmap(nullptr, size + kChunk, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (found == MAP_FAILED) return nullptr;
    auto* first = static_cast<std::byte*>(found);
    const std::size_t skip = (kChunk - reinterpret_cast<std::uintptr_t>(first) % kChunk) % kChunk;
    if (skip > 0) munmap(first, skip);
    munmap(first + skip + size, kChunk - skip);
    if (large) advise_huge_pages(first + skip, size);
    return first + skip;
}
#else
inline std::byte* aligned_pages(std::size_t size, bool) {
    return static_cast<std::byte*>(::operator new(size, std::align_val_t{kChunk}, std::nothrow));
}
#endif

// A new chunk of at least `bytes` bytes from the system; `large` asks for huge pages.
inline Chunk new_chunk(std::size_t bytes, bool large) {
    const std::size_t size = whole_chunks(bytes);
    std::byte* memory = aligned_pages(size, large);
    if (memory == nullptr) throw std::bad_alloc();
    return Chunk(memory, FreeChunk{size});
}

// The chunks that no tree uses now.
class ChunkPool {
public:
    // A chunk, free or new; `large` asks for huge pages. Keeps `behind` free chunks in reserve,
    // with all their pages already mapped.
    Chunk take(bool large, std::size_t behind) {
        const std::scoped_lock lock(mutex_);
        behind = std::min(behind, most_);
        while (free_.size() < behind) free_.push_back(touched(new_chunk(kChunk, large)));
        if (free_.size() <= behind) return new_chunk(kChunk, large);
        Chunk chunk = std::move(free_.back());
        free_.pop_back();
        return chunk;
    }
    // Takes chunks back; those beyond the most that are kept go to the system.
    void give(std::vector<Chunk>&& chunks) {
        const std::scoped_lock lock(mutex_);
        for (Chunk& chunk : chunks) {
            if (free_.size() >= most_) break;
            free_.push_back(std::move(chunk));
        }
        chunks.clear();
    }
    // Sets how many free chunks are kept.
    void keep_at_most(std::size_t chunks) {
        const std::scoped_lock lock(mutex_);
        most_ = chunks;
        while (free_.size() > most_) free_.pop_back();
    }

private:
    // The chunk with all its pages mapped, by writing to each.
    static Chunk touched(Chunk chunk) {
        for (std::size_t at = 0; at < kChunk; at += kPage) chunk[at] = std::byte{0};
        return chunk;
    }

    std::mutex mutex_;
    std::vector<Chunk> free_;
    std::size_t most_ = static_cast<std::size_t>(-1);
};

// The memory of one tree.
class NodeMemory {
public:
    explicit NodeMemory(std::shared_ptr<ChunkPool> pool) : pool_(std::move(pool)) {}
    NodeMemory(const NodeMemory&) = delete;
    NodeMemory& operator=(const NodeMemory&) = delete;
    ~NodeMemory() { pool_->give(std::move(chunks_)); }

    // Memory for nodes or an information set, aligned to 16 bytes; it stays where it is until the
    // tree is released.
    void* take(std::size_t bytes) {
        bytes = (bytes + 15) & ~std::size_t{15};
        const std::scoped_lock lock(mutex_);
        if (bytes > left_) refill(bytes);
        used_.fetch_add(bytes, std::memory_order_relaxed);
        void* out = next_;
        next_ += bytes;
        left_ -= bytes;
        return out;
    }
    // Says whether a search grows the tree. Otherwise it is filled with what is carried over:
    // without huge pages, which the system may take long to provide, and from the reserve.
    void set_growing(bool grows) { growing_ = grows; }
    // The bytes that were taken; somewhat more are held in chunks.
    std::size_t bytes() const { return used_.load(std::memory_order_relaxed); }

private:
    // Takes another chunk, from the pool unless it must be larger than usual.
    void refill(std::size_t bytes) {
        if (bytes > kChunk) {  // too large to be used again by anything else
            oversized_.push_back(new_chunk(bytes, growing_));
            next_ = oversized_.back().get();
        } else {
            const std::size_t behind = growing_ ? std::min(chunks_.size() / 2, kReserve) : 0;
            chunks_.push_back(pool_->take(growing_, behind));
            next_ = chunks_.back().get();
        }
        left_ = bytes > kChunk ? bytes : kChunk;
    }

    std::shared_ptr<ChunkPool> pool_;
    std::mutex mutex_;
    std::vector<Chunk> chunks_, oversized_;
    bool growing_ = true;
    std::byte* next_ = nullptr;
    std::size_t left_ = 0;
    std::atomic<std::size_t> used_{0};
};

}  // namespace fogtree::search
