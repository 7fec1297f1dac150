// Running one function on several threads and waiting for all of them.
#pragma once

#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace fogtree::fogchess {

// Calls `work(index)` for every index below `threads`; the caller's thread takes index 0. The first
// exception is rethrown after all threads have ended.
template <class Work>
void in_parallel(int threads, Work&& work) {
    std::vector<std::exception_ptr> errors(static_cast<std::size_t>(threads));
    const auto guarded = [&](int index) {
        try {
            work(index);
        } catch (...) {
            errors[static_cast<std::size_t>(index)] = std::current_exception();
        }
    };
    std::vector<std::thread> others;
    for (int index = 1; index < threads; ++index) others.emplace_back(guarded, index);
    guarded(0);
    for (std::thread& other : others) other.join();
    for (const std::exception_ptr& error : errors)
        if (error) std::rethrow_exception(error);
}

// The part of [0, size) that falls to one of several threads, in order.
struct Share {
    std::size_t begin;
    std::size_t end;
};
inline Share share(std::size_t size, int threads, int index) {
    const auto count = static_cast<std::size_t>(threads);
    const auto number = static_cast<std::size_t>(index);
    return {size * number / count, size * (number + 1) / count};
}

}  // namespace fogtree::fogchess
