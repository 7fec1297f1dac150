// Chooses which decisions of a traversal become samples. Only a fraction of the decisions met
// enters the reservoir; dropping the rest at once, by random numbers that the traversal itself does
// not use, saves the memory and time to store them.
#pragma once

#include "common/random.hpp"

namespace fogtree::deep {

// The probability that a decision becomes a sample, by the kind of sample.
struct KeepProbabilities {
    double regrets = 1;
    double strategies = 1;
};

// Draws whether a decision becomes a sample.
class SampleFilter {
public:
    // Keeps everything.
    SampleFilter() : random_(0, 0, 0) {}
    SampleFilter(const KeepProbabilities& probabilities, CounterRandom random)
        : probabilities_(probabilities), random_(random) {}

    bool keeps_regret() { return keeps(probabilities_.regrets); }
    bool keeps_strategy() { return keeps(probabilities_.strategies); }

private:
    // True with this probability; draws no random number if it is 0 or 1.
    bool keeps(double probability) {
        return probability >= 1 || (probability > 0 && random_.coin(probability));
    }

    KeepProbabilities probabilities_;
    CounterRandom random_;
};

}  // namespace fogtree::deep
