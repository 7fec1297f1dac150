// Random numbers that are a function of a key and a counter, so that any batch can be redone.
//
// Steele, Lea & Flood, "Fast splittable pseudorandom number generators" (2014): the finalizer of
// SplitMix64, for keys. Wang Yi, wyrand (2019), of the wyhash family: the two halves of a product
// of two functions of a counter, for the numbers themselves. Deviations: the counter's step and the
// constant are those of SplitMix64 and wyhash.
#pragma once

#include <cstdint>

namespace fogtree {

inline constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15u;

inline std::uint64_t scramble(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

// What a walk asks of its source of chance: one of n by weight, one of n evenly, yes or no.
class Random {
public:
    Random(std::uint64_t seed, std::uint64_t batch, std::uint64_t worker)
        : counter_(scramble(scramble(scramble(seed + kGolden) + batch) + worker)) {}

    std::uint64_t next() {
        counter_ += kGolden;
        const auto product =
            static_cast<unsigned __int128>(counter_) * (counter_ ^ 0xe7037ed1a0b428dbu);
        return static_cast<std::uint64_t>(product >> 64) ^ static_cast<std::uint64_t>(product);
    }

    // `weights` are at least 0 and sum, added in order, to `total` > 0.
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

    // One of n, by sums: number a is the probability of 0 to a, at least 1 from n - 1 on; there are
    // `row` of them, a multiple of four.
    template <class Real>
    int pick_by_sums(const Real* sums, int row, int) {
        const Real point = unit<Real>();
        int chosen = (point >= sums[0]) + (point >= sums[1]) + (point >= sums[2]);
        for (int a = 3; a + 1 < row; ++a) chosen += point >= sums[a];
        return chosen;
    }

    int below(int n) {
        return static_cast<int>(((next() >> 32) * static_cast<std::uint64_t>(n)) >> 32);
    }

    template <class Real>
    bool coin(Real probability) {
        return unit<Real>() < probability;
    }

private:
    // In [0, 1), with one bit less than fits: then unit() * total < total after rounding as well.
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

}  // namespace fogtree
