// A compensated sum: its rounding error does not grow with the number of terms.
//
// Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen" (1974).
// Deviations: none.
#pragma once

#include <cmath>

namespace fogtree {

// A sum whose rounding errors are added up separately, and added to it at the end.
class CompensatedSum {
public:
    // Adds a term; the digits of the smaller number that rounding cuts off are added to `lost_`.
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
