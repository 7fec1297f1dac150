// Four numbers at a time, with the compiler's own vectors: the same result on every processor.
#pragma once

#include <cstdint>
#include <cstring>

namespace fogtree {

template <class Real>
struct FourOf;
template <>
struct FourOf<float> {
    typedef float numbers __attribute__((vector_size(16)));
    typedef std::int32_t indices __attribute__((vector_size(16)));
};
template <>
struct FourOf<double> {
    typedef double numbers __attribute__((vector_size(32)));
    typedef std::int64_t indices __attribute__((vector_size(32)));
};

template <class Real>
using Four = typename FourOf<Real>::numbers;
template <class Real>
using FourIndices = typename FourOf<Real>::indices;

template <class Real>
inline Four<Real> load_four(const Real* from) {
    Four<Real> out;
    std::memcpy(&out, from, sizeof out);
    return out;
}

template <class Real>
inline void store_four(Real* to, Four<Real> four) {
    std::memcpy(to, &four, sizeof four);
}

template <class Real>
inline Four<Real> four_times(Real x) {
    return Four<Real>{x, x, x, x};
}

template <class Real>
inline FourIndices<Real> four_times_index(int i) {
    return FourIndices<Real>{i, i, i, i};
}

template <class F>
inline F larger(F x, F y) {
    return x > y ? x : y;
}

// Numbers 0 to 3 are those of x, 4 is zero.
template <int kA, int kB, int kC, int kD, class F>
inline F rearranged(F x) {
#if __has_builtin(__builtin_shufflevector)
    return __builtin_shufflevector(x, F{}, kA, kB, kC, kD);
#else
    const auto get = [&](int i) { return i < 4 ? x[i] : 0; };
    return F{get(kA), get(kB), get(kC), get(kD)};
#endif
}

// a, a + b, c + (a + b), (c + d) + (a + b): where nothing is negative they never fall, and where a
// number is 0 they stay exactly what they were.
template <class F>
inline F running_sums(F x) {
    const F two = x + rearranged<4, 0, 4, 2>(x);
    return two + rearranged<4, 4, 1, 1>(two);
}

// How many are true, where each that is counts as -1: comparisons, or sums of them.
template <class Indices>
inline int count(Indices truths) {
    const Indices two = truths + rearranged<2, 3, 0, 1>(truths);
    return -static_cast<int>(two[0] + two[1]);
}

}  // namespace fogtree
