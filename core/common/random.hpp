// The random number generators.
//
// There are three because the results of a seed are reproducible and recorded: searches and beliefs
// use SplitMix64, samplers and traversals use CounterRandom, whose streams are split by batch and
// worker, and uniformly random games use Xoroshiro64, the fastest of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "common/hash.hpp"
#include "common/simd4.hpp"

namespace fogtree {

// One step of SplitMix64: changes `state`, which may start at any number, and returns 64 random
// bits.
constexpr std::uint64_t split_mix64(std::uint64_t& state) {
    return mix64(state += kGoldenRatio);
}

// Steele, Lea & Flood, "Fast splittable pseudorandom number generators" (2014).
// Deviations: the seed is mixed once, so that the streams of neighbouring seeds do not overlap.
class SplitMix64 {
public:
    explicit SplitMix64(std::uint64_t seed) : state_(mix64(seed + kGoldenRatio)) {}
    std::uint64_t next() { return split_mix64(state_); }
    // A uniform number in [0, 1), from 53 random bits.
    double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
    // A uniform number from 0 to n - 1: random bits as a fraction of 2^64, times n.
    std::size_t below(std::size_t n) {
        return static_cast<std::size_t>((static_cast<unsigned __int128>(next()) * n) >> 64);
    }
    bool coin() { return next() >> 63 != 0; }  // true with probability 1/2

private:
    std::uint64_t state_;
};

// A generator whose stream depends only on a seed, a batch and a worker, so that any batch of a
// sampler can be computed again.
//
// Wang Yi, wyrand (2019), of the wyhash family: the exclusive or of the two halves of a product of
// two functions of a counter. Deviations: the increment is that of SplitMix64, the constant that of
// wyhash; seed, batch and worker are mixed by the finalizer of SplitMix64 to the counter's start.
class CounterRandom {
public:
    CounterRandom(std::uint64_t seed, std::uint64_t batch, std::uint64_t worker)
        : counter_(mix64(mix64(mix64(seed + kGoldenRatio) + batch) + worker)) {}

    // The next 64 random bits: both halves of a 128-bit product, combined.
    std::uint64_t next() {
        counter_ += kGoldenRatio;
        const std::uint64_t other = counter_ ^ 0xe7037ed1a0b428dbu;
        const auto high =
            static_cast<std::uint64_t>(static_cast<unsigned __int128>(counter_) * other >> 64);
        return high ^ counter_ * other;
    }

    // Draws an index from 0 to n - 1 with probability weights[index] / total; `weights` are at
    // least 0 and sum, added in order, to `total` > 0.
    template <class Real>
    int pick(const Real* weights, int n, Real total) {
        const Real point = unit<Real>() * total;
        Real sum = 0;
        int chosen = 0;
        for (int a = 0; a + 1 < n; ++a) {
            sum += weights[a];
            chosen += point >= sum ? 1 : 0;
        }
        return chosen;
    }

    // Draws an index by cumulative probabilities, which `sums(g)` gives in groups of four; they are
    // at least 1 from the last index on. The last argument, the number of indices, is not needed
    // here; Enumeration, which can stand in for this class, needs it.
    template <class Sums>
    int pick_by_sums(Sums&& sums, int groups, int) {
        const auto point = unit<std::remove_reference_t<decltype(sums(0)[0])>>();
        auto reached = broadcast4(point) >= sums(0);
        for (int g = 1; g < groups; ++g) reached += broadcast4(point) >= sums(g);
        return count_true(reached);
    }

    // A number from 0 to n - 1: random bits as a fraction of 2^64, times n.
    int below(int n) {
        return static_cast<int>(static_cast<unsigned __int128>(next()) * static_cast<unsigned>(n) >>
                                64);
    }

    // True with this probability.
    template <class Real>
    bool coin(Real probability) {
        return unit<Real>() < probability;
    }

private:
    // A uniform number in [0, 1) with one bit less than the type's precision: then
    // unit() * total < total after rounding as well.
    template <class Real>
    Real unit() {
        if constexpr (sizeof(Real) == 4) {
            return static_cast<Real>(static_cast<std::int32_t>(next() >> 41)) * Real(0x1p-23);
        } else {
            return static_cast<Real>(static_cast<std::int64_t>(next() >> 12)) * Real(0x1p-52);
        }
    }

    std::uint64_t counter_;
};

// D. Blackman, S. Vigna, "Scrambled linear pseudorandom number generators", ACM Transactions on
// Mathematical Software 47 (2021): xoroshiro64*, seeded by SplitMix64.
// Deviations: `below` scales by multiplication without rejection; for counts up to 128 its bias is
// under 2^-25.
class Xoroshiro64 {
public:
    // The state must not be all zeros, which it would never leave: hence | 1.
    explicit Xoroshiro64(std::uint64_t seed) {
        const std::uint64_t bits = split_mix64(seed);
        a_ = static_cast<std::uint32_t>(bits) | 1u;
        b_ = static_cast<std::uint32_t>(bits >> 32);
    }
    // A number from 0 to count - 1.
    int below(int count) {
        return static_cast<int>(
            static_cast<std::uint64_t>(next()) * static_cast<std::uint64_t>(count) >> 32);
    }

private:
    // The next 32 random bits.
    std::uint32_t next() {
        const std::uint32_t result = a_ * 0x9E3779BBu;
        b_ ^= a_;
        a_ = (a_ << 26 | a_ >> 6) ^ b_ ^ b_ << 9;
        b_ = b_ << 13 | b_ >> 19;
        return result;
    }
    std::uint32_t a_, b_;
};

}  // namespace fogtree
