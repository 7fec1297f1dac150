// How iterations are weighted: the discount of regrets, and the weights of the average strategy.
#pragma once

#include <cmath>
#include <cstdint>
#include <stdexcept>

namespace fogtree {

// The most iterations that a saved state may claim, so that the count cannot overflow afterwards.
inline constexpr std::int64_t kMostIterations = std::int64_t{1} << 62;

// The factor t^a / (t^a + 1) by which regrets are multiplied after iteration t (discounted CFR),
// where a is the exponent; 1 for a = inf, 0 for a = -inf.
inline double discount_factor(double t, double exponent) {
    if (std::isinf(exponent)) return exponent > 0 ? 1 : 0;
    return 1 / (1 + std::pow(t, -exponent));
}

// The weight (t - delay)^exponent of iteration t in the average strategy; 0 for t up to the delay.
inline double averaging_weight(double t, double delay, double exponent) {
    return t > delay ? std::pow(t - delay, exponent) : 0;
}

// Throws std::invalid_argument for an exponent of a discount that is not a number (infinity is
// allowed), an exponent of the average that is not finite, or a delay that is not finite or below
// 0.
inline void check_weighting(double positive_exponent, double negative_exponent,
                            double averaging_exponent, double delay) {
    if (std::isnan(positive_exponent) || std::isnan(negative_exponent) ||
        !std::isfinite(averaging_exponent) || !(std::isfinite(delay) && delay >= 0)) {
        throw std::invalid_argument("an exponent or the delay is out of range");
    }
}

}  // namespace fogtree
