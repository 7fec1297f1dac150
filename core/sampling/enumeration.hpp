// A random source that enumerates all outcomes instead of drawing one.
//
// Run the same code repeatedly: each run takes different choices, with probability `probability()`,
// until `advance()` returns false. Sums over the runs are exact expectations.
#pragma once

#include <cstddef>
#include <vector>

namespace fogtree {

// Takes the place of a random number generator: makes the choices of one run after the other.
class Enumeration {
public:
    // A choice among n options by weights whose sum is `total`.
    template <class Real>
    int pick(const Real* weights, int n, Real total) {
        return choose(
            n, [&](int a) { return static_cast<double>(weights[a]) / static_cast<double>(total); });
    }

    // A choice by the running sums of n probabilities, of which `sums(g)` has the g-th four; the
    // last counts as 1. As CounterRandom::pick_by_sums.
    template <class Sums>
    int pick_by_sums(Sums&& sums, int, int n) {
        return choose(n, [&](int a) {
            const auto sum = [&](int k) { return static_cast<double>(sums(k / 4)[k % 4]); };
            return (a + 1 < n ? sum(a) : 1.0) - (a > 0 ? sum(a - 1) : 0.0);
        });
    }

    // A choice among n options with equal probabilities.
    int below(int n) {
        return choose(n, [&](int) { return 1.0 / n; });
    }

    // A choice of two: true with this probability.
    template <class Real>
    bool coin(Real probability) {
        const auto yes = static_cast<double>(probability);
        return choose(2, [&](int a) { return a == 1 ? yes : 1.0 - yes; }) == 1;
    }

    // The product of the probabilities of the present run's choices.
    double probability() const {
        double product = 1;
        for (const Choice& choice : path_) product *= choice.probability[choice.taken];
        return product;
    }

    // Goes to the next run: its last choice that has an option left takes the next one, and choices
    // after it begin anew. False after the last run.
    bool advance() {
        while (!path_.empty() && !step(path_.back())) path_.pop_back();
        depth_ = 0;
        return !path_.empty();
    }

private:
    // A choice on the present run: the probabilities of all options, and which was taken.
    struct Choice {
        std::vector<double> probability;
        std::size_t taken = 0;
    };

    // Moves a choice to its next option with a probability above 0; false if there is none.
    static bool step(Choice& choice) {
        do {
            if (++choice.taken == choice.probability.size()) return false;
        } while (!(choice.probability[choice.taken] > 0));
        return true;
    }

    // The option that the present run takes at its next choice among n; `probability(a)` is that of
    // option a. A choice that earlier runs did not reach begins with its first possible option.
    template <class Probability>
    int choose(int n, Probability&& probability) {
        if (depth_ == path_.size()) {
            Choice choice;
            for (int a = 0; a < n; ++a) choice.probability.push_back(probability(a));
            if (!(choice.probability[0] > 0)) step(choice);
            path_.push_back(std::move(choice));
        }
        return static_cast<int>(path_[depth_++].taken);
    }

    std::vector<Choice> path_;
    std::size_t depth_ = 0;
};

}  // namespace fogtree
