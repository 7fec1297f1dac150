// A compensated sum: its rounding error does not grow with the number of terms.
//
// Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen" (1974).
// Deviations: none.
#pragma once

#include <cmath>

namespace fogtree {

// A sum whose rounding errors are added up apart.
class CompensatedSum {
public:
    // Adds a term; what the rounded sum loses of the smaller number goes to `lost_`.
    void add(double term) {
        const double sum = sum_ + term;
        lost_ += std::abs(sum_) >= std::abs(term) ? (sum_ - sum) + term : (term - sum) + sum_;
        sum_ = sum;
    }
    double value() const { return sum_ + lost_; }

private:
    double sum_ = 0, lost_ = 0;
};

}  // namespace fogtree
