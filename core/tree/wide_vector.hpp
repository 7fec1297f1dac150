// A vector as wide as a register, and the exponential function of its elements.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "common/simd_vector.hpp"

namespace fogtree::FOGTREE_ISA {

template <class Real>
using Wide = Vector<Real, kLanes<Real>>;

// e^x for x <= 80, relative error near one unit in the last place; 0 where it underflows.
// Cody & Waite, "Software manual for the elementary functions" (1980): x = n ln 2 + r, Taylor in r.
template <class Real>
inline Wide<Real> exponential(Wide<Real> x) {
    constexpr bool single = sizeof(Real) == 4;
    using Bits = std::conditional_t<single, std::uint32_t, std::uint64_t>;
    using BitsVector = Vector<Bits, kLanes<Real>>;
    constexpr int mantissa = single ? 23 : 52;
    constexpr Real lowest = single ? Real(-87) : Real(-708);
    // 1.5 * 2^mantissa: a small number added to it is rounded to an integer, which then stands in
    // the lowest bits of the sum.
    constexpr Real magic = single ? Real(12582912.0) : Real(6755399441055744.0);
    constexpr Real ln2_high = single ? Real(0.693359375) : Real(6.93145751953125e-1);
    constexpr Real ln2_low = single ? Real(-2.12194440e-4) : Real(1.42860682030941723212e-6);
    const Wide<Real> floor_x = Wide<Real>{} + lowest;
    const auto underflow = x < floor_x;
    x = underflow ? floor_x : x;
    const Wide<Real> shifted = x * Real(1.44269504088896340736) + magic;
    const Wide<Real> n = shifted - magic;
    const Wide<Real> r = (x - n * ln2_high) - n * ln2_low;
    // 1 + (r + r^2 (1/2! + r/3! + ...)): the small part is added last, so its rounding hardly
    // shows.
    constexpr int terms = single ? 7 : 13;
    Real factorial = 1;
    for (int k = 2; k <= terms; ++k) factorial *= static_cast<Real>(k);
    Wide<Real> tail = Wide<Real>{} + Real(1) / factorial;
    for (int k = terms; k > 2; --k) {
        factorial /= static_cast<Real>(k);
        tail = Real(1) / factorial + tail * r;
    }
    const Wide<Real> sum = Real(1) + (r + r * r * tail);
    BitsVector scale;
    std::memcpy(&scale, &shifted, sizeof scale);
    scale = (scale << mantissa) + (Bits(single ? 127 : 1023) << mantissa);
    Wide<Real> power;
    std::memcpy(&power, &scale, sizeof power);
    return underflow ? Wide<Real>{} : sum * power;
}

}  // namespace fogtree::FOGTREE_ISA
