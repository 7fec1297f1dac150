// The sampling schemes and their constants.
#pragma once

#include <cmath>
#include <cstdint>
#include <stdexcept>

namespace fogtree {

// Which of the traverser's actions a walk tries.
enum class Scheme : std::uint8_t {
    external,
    outcome,
    outcome_baseline,
    outcome_seed,
    robust,
    average,
    chance
};

// A scheme with its constants.
struct SchemeOptions {
    Scheme scheme = Scheme::external;
    double exploration = 0.6;    // outcome: share of uniform play in the traverser's own choices
    int tried = 2;               // robust: how many actions
    double baseline_rate = 0.5;  // how fast baselines follow what is seen
    // average-strategy sampling: rho = max(epsilon, (beta + tau s(a)) / (beta + sum s))
    double epsilon = 0.05;
    double tau = 1000;
    double beta = 1e6;

    // Throws std::invalid_argument for constants that make no sense.
    void check() const {
        const auto share = [](double number) { return number >= 0 && number <= 1; };
        const auto amount = [](double number) { return std::isfinite(number) && number >= 0; };
        if (tried < 1) throw std::invalid_argument("at least one action must be tried");
        if (!share(exploration) || !share(baseline_rate) || !share(epsilon) || !amount(tau) ||
            !amount(beta)) {
            throw std::invalid_argument("a constant of the sampling scheme is out of range");
        }
    }
};

inline constexpr int kMostActions = 1024;

// The largest weight of a sample: larger ones are cut down to it, so that sums stay finite.
template <class Real>
inline constexpr Real kHeaviest = sizeof(Real) == 4 ? Real(1e18) : static_cast<Real>(1e150);

}  // namespace fogtree
