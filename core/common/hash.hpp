// Mixing of 64-bit words, for hash keys and for random streams.
//
// Steele, Lea & Flood, "Fast splittable pseudorandom number generators" (2014): the finalizer of
// SplitMix64. The two ways to extend a hash differ because keys made by either are stored in files
// and tests.
#pragma once

#include <cstdint>

namespace fogtree {

// 2^64 divided by the golden ratio: the increment of SplitMix64.
inline constexpr std::uint64_t kGoldenRatio = 0x9e3779b97f4a7c15u;

// Mixes the bits of a word: every bit of the result depends on every bit of the word.
constexpr std::uint64_t mix64(std::uint64_t word) {
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9u;
    word = (word ^ (word >> 27)) * 0x94d049bb133111ebu;
    return word ^ (word >> 31);
}

// The hash of two words; not symmetric. The constant keeps two zeros from having the hash 0.
constexpr std::uint64_t combine_hashes(std::uint64_t a, std::uint64_t b) {
    return mix64(a * kGoldenRatio + b + 0x632be59bd9b4e019u);
}

// The hash of a list with `number` appended, given the hash of the list without it.
constexpr std::uint64_t extend_hash(std::uint64_t hash, std::int64_t number) {
    return mix64(hash + kGoldenRatio + static_cast<std::uint64_t>(number));
}

}  // namespace fogtree
