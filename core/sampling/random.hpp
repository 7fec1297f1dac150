// Random numbers that are a function of a key and a counter, so that any batch can be redone.
//
// Steele, Lea & Flood, "Fast splittable pseudorandom number generators" (2014): the finalizer of
// SplitMix64, for keys. Wang Yi, wyrand (2019), of the wyhash family: the two halves of a product
// of two functions of a counter, for the numbers themselves. Deviations: the counter's step and the
// constant are those of SplitMix64 and wyhash.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "four.hpp"

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
        const std::uint64_t other = counter_ ^ 0xe7037ed1a0b428dbu;
        const auto high =
            static_cast<std::uint64_t>(static_cast<unsigned __int128>(counter_) * other >> 64);
        return high ^ counter_ * other;
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

    // One of n by the probability of the first up to each, in groups of four; at least 1 from the
    // last on.
    template <class Sums>
    int pick_by_sums(Sums&& sums, int groups, int) {
        const auto point = unit<std::remove_reference_t<decltype(sums(0)[0])>>();
        auto reached = four_times(point) >= sums(0);
        for (int g = 1; g < groups; ++g) reached += four_times(point) >= sums(g);
        return count(reached);
    }

    int below(int n) {
        return static_cast<int>(static_cast<unsigned __int128>(next()) * static_cast<unsigned>(n) >>
                                64);
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
