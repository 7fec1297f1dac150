// The sampling schemes and their constants.
#pragma once

#include <cmath>
#include <cstdint>
#include <stdexcept>

namespace fogtree {

// The sampling schemes: which of the traverser's actions a walk tries (walk.hpp).
enum class Scheme : std::uint8_t {
    external,          // all
    outcome,           // one
    outcome_baseline,  // one; baselines reduce the variance
    outcome_seed,      // one; a biased estimator, for comparison only
    robust,            // a few, at random
    average,           // each with a probability that grows with its share of the average strategy
    chance             // all, and all actions of the other players
};

// A scheme with its constants.
struct SchemeOptions {
    Scheme scheme = Scheme::external;
    double exploration = 0.6;    // outcome: share of uniform play in the traverser's own choices
    int tried = 2;               // robust: how many actions
    double baseline_rate = 0.5;  // how far a baseline moves towards each value that is seen
    // Average-strategy sampling tries action a with probability
    // rho = max(epsilon, (beta + tau s(a)) / (beta + sum s)), at most 1, where s(a) is the action's
    // sum in the average strategy.
    double epsilon = 0.05;
    double tau = 1000;
    double beta = 1e6;

    // Throws std::invalid_argument for constants out of range.
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
