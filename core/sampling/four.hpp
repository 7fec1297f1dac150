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

// a, a + b, a + b + c, ...
template <class F>
inline F running_sums(F x) {
    const F one = {0, x[0], x[1], x[2]};
    const F pairs = x + one;
    const F two = {0, 0, pairs[0], pairs[1]};
    return pairs + two;
}

}  // namespace fogtree
