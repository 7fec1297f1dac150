// Vectors of four numbers, by the compiler's vector extension: the same result on every processor.
#pragma once

#include <cstdint>
#include <cstring>

namespace fogtree {

// The vector types: four numbers, and four integers of the same size.
template <class Real>
struct Simd4Of;
template <>
struct Simd4Of<float> {
    typedef float numbers __attribute__((vector_size(16)));
    typedef std::int32_t indices __attribute__((vector_size(16)));
};
template <>
struct Simd4Of<double> {
    typedef double numbers __attribute__((vector_size(32)));
    typedef std::int64_t indices __attribute__((vector_size(32)));
};

template <class Real>
using Simd4 = typename Simd4Of<Real>::numbers;
template <class Real>
using Simd4Indices = typename Simd4Of<Real>::indices;

// Loads four numbers from memory of any alignment.
template <class Real>
inline Simd4<Real> load4(const Real* from) {
    Simd4<Real> out;
    std::memcpy(&out, from, sizeof out);
    return out;
}

// Stores four numbers to memory of any alignment.
template <class Real>
inline void store4(Real* to, Simd4<Real> vector) {
    std::memcpy(to, &vector, sizeof vector);
}

// Four times the same number.
template <class Real>
inline Simd4<Real> broadcast4(Real x) {
    return Simd4<Real>{x, x, x, x};
}

// Four times the same integer, of the size of Real.
template <class Real>
inline Simd4Indices<Real> broadcast4_index(int i) {
    return Simd4Indices<Real>{i, i, i, i};
}

// The larger of x and y, element by element.
template <class F>
inline F larger(F x, F y) {
    return x > y ? x : y;
}

// The vector (x[kA], x[kB], x[kC], x[kD]); an index of 4 gives 0.
template <int kA, int kB, int kC, int kD, class F>
inline F rearranged(F x) {
#if __has_builtin(__builtin_shufflevector)
    return __builtin_shufflevector(x, F{}, kA, kB, kC, kD);
#else
    const auto get = [&](int i) { return i < 4 ? x[i] : 0; };
    return F{get(kA), get(kB), get(kC), get(kD)};
#endif
}

// The cumulative sums a, a + b, c + (a + b), (c + d) + (a + b) of x = (a, b, c, d). If no element
// is negative they never decrease, and an element that is 0 leaves its sum exactly equal to the one
// before.
template <class F>
inline F running_sums(F x) {
    const F two = x + rearranged<4, 0, 4, 2>(x);
    return two + rearranged<4, 4, 1, 1>(two);
}

// How many elements are true; a comparison of vectors gives -1 for true. For a sum of comparisons
// it is the number of true elements of all of them.
template <class Indices>
inline int count_true(Indices truths) {
    const Indices two = truths + rearranged<2, 3, 0, 1>(truths);
    return -static_cast<int>(two[0] + two[1]);
}

}  // namespace fogtree
