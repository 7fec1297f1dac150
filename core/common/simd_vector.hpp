// Vectors of any width, by the compiler's vector extension. Included by files that are compiled
// once per instruction set, in the namespace of that instruction set.
#pragma once

#include <cstring>

namespace fogtree::FOGTREE_ISA {

// The bytes of the widest register. Operations on wider vectors are slow, because the compiler
// takes them apart and keeps the parts in memory.
#if defined(__AVX512F__)
inline constexpr int kRegisterBytes = 64;
#elif defined(__AVX2__)
inline constexpr int kRegisterBytes = 32;
#else
inline constexpr int kRegisterBytes = 16;
#endif

// The numbers in a vector that is as wide as a register.
template <class Real>
inline constexpr int kLanes = kRegisterBytes / static_cast<int>(sizeof(Real));

// The type of a vector of N numbers.
template <class Real, int N>
struct VectorOf {
    typedef Real type __attribute__((vector_size(N * sizeof(Real))));
};
template <class Real, int N>
using Vector = typename VectorOf<Real, N>::type;

// Loads a vector from memory of any alignment.
template <class V, class Real>
inline V load(const Real* from) {
    V v;
    std::memcpy(&v, from, sizeof v);
    return v;
}

// Stores a vector to memory of any alignment.
template <class V, class Real>
inline void store(Real* to, const V& v) {
    std::memcpy(to, &v, sizeof v);
}

// The elements, with 0 in place of those that are not above 0.
template <class V>
inline V positive(const V& v) {
    return v > 0 ? v : V{};
}

// The larger of a and b, element by element.
template <class V>
inline V larger(const V& a, const V& b) {
    return a > b ? a : b;
}

}  // namespace fogtree::FOGTREE_ISA
