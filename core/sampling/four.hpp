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

// a, a + b, a + b + c, ...: added in order, so that they never fall where nothing is negative.
template <class F>
inline F running_sums(F x) {
    const auto two = x[0] + x[1], three = two + x[2], four = three + x[3];
    return F{x[0], two, three, four};
}

}  // namespace fogtree
