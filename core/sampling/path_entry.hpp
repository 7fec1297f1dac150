// What outcome sampling keeps at an information set: regrets, averages, and the strategy that
// follows from the regrets as sums, so that a draw is a few comparisons.
//
// There are four rows, padded to a multiple of four numbers. Number a of the third is the
// probability of the actions up to a, that of the fourth the same with exploration; from the last
// action on they are 1 or more.
#pragma once

#include <cstddef>
#include <cstdint>

#include "four.hpp"

namespace fogtree {

// Exploration's part in a choice: (1 - epsilon) sigma + epsilon / n.
template <class Real>
struct Exploration {
    Real keep, even;
    Exploration(Real epsilon, int n) : keep(1 - epsilon), even(epsilon / static_cast<Real>(n)) {}
};

inline constexpr std::size_t kPathRows = 4;

// How many groups of four numbers a row has, as far as the compiler is told: 1, 2, or any number.
enum class Width : std::uint8_t { four, eight, any };

template <class Real, Width kWidth>
class PathEntry {
public:
    PathEntry(Real* start, int n) : start_(start), n_(n) {}

    // To be called when the regrets were written from outside.
    void prepare(Exploration<Real> exploration, Real floor) {
        for (int a = n_; a < row(); ++a) start_[a] = start_[row() + a] = 0;
        learn(0, 0, 0, floor, exploration);
    }

    // Draws by the strategy, or by the one that explores.
    template <class Source>
    int pick(Source& source, bool explores) const {
        return source.pick_by_sums(start_ + (2 + (explores ? 1 : 0)) * row(), row(), n_);
    }

    // Without a branch: which action it is nobody can foresee.
    Real probability(int a) const {
        const Real* sums = start_ + 2 * row();
        const int any = a > 0 ? 1 : 0;
        return sums[a] - static_cast<Real>(any) * sums[a - any];
    }

    void add_to_average(Real share) {
        Real* average = start_ + row();
        const Real* sums = start_ + 2 * row();
        const Four<Real> upper = load_four(sums);
        const Four<Real> lower = {0, upper[0], upper[1], upper[2]};
        store_four(average, load_four(average) + four_times(share) * (upper - lower));
        if constexpr (kWidth == Width::four) return;
        for (int a = 4; a < row(); ++a) average[a] += share * (sums[a] - sums[a - 1]);
    }

    // Adds `others` to the regret of every action, and `more` to that of the chosen one.
    void learn(int chosen, Real others, Real more, Real floor, Exploration<Real> exploration) {
        if constexpr (kWidth == Width::four) {
            const Four<Real> sums = running_sums(learn_four(0, chosen, others, more, floor));
            const Real total = sums[3];
            const Real scale = 1 / (total > 0 ? total : static_cast<Real>(n_));
            const Four<Real> even = {1, 2, 3, 4};
            publish(0, (total > 0 ? sums : even) * four_times(scale), exploration);
        } else {
            learn_many(chosen, others, more, floor, exploration);
        }
    }

private:
    int row() const {
        if constexpr (kWidth == Width::four) return 4;
        if constexpr (kWidth == Width::eight) return 8;
        return (n_ + 3) / 4 * 4;
    }

    using Numbers = Four<Real>;
    using Indices = FourIndices<Real>;

    static Indices indices(int first) {
        return Indices{0, 1, 2, 3} + four_times_index<Real>(first);
    }

    // The new regrets' positive parts; 0 for padding.
    Numbers learn_four(int first, int chosen, Real others, Real more, Real floor) {
        const Numbers none{};
        const Indices place = indices(first);
        const Numbers extra = place == four_times_index<Real>(chosen) ? four_times(more) : none;
        const Numbers moved = load_four(start_ + first) + four_times(others) + extra;
        const Numbers lowest = four_times(floor);
        const Numbers regret = moved > lowest ? moved : lowest;
        store_four(start_ + first, regret);
        const Numbers positive = regret > none ? regret : none;
        return place < four_times_index<Real>(n_) ? positive : none;
    }

    // Writes four of the sums; what lies from the last action on is 1.
    void publish(int first, Numbers sums, Exploration<Real> exploration) {
        const Indices place = indices(first);
        const Numbers one = four_times(Real(1));
        const Numbers most = sums < one ? sums : one;
        const Numbers exact = place < four_times_index<Real>(n_ - 1) ? most : one;
        const Numbers count = Numbers{1, 2, 3, 4} + four_times(static_cast<Real>(first));
        Real* to = start_ + 2 * row() + first;
        store_four(to, exact);
        store_four(to + row(),
                   four_times(exploration.keep) * exact + four_times(exploration.even) * count);
    }

    void learn_many(int chosen, Real others, Real more, Real floor, Exploration<Real> exploration) {
        Real* sums = start_ + 2 * row();
        Real total = 0;
        for (int first = 0; first < row(); first += 4) {
            Numbers part = learn_four(first, chosen, others, more, floor);
            part[0] += total;
            part = running_sums(part);
            store_four(sums + first, part);
            total = part[3];
        }
        const bool none = !(total > 0);
        const Real scale = 1 / (none ? static_cast<Real>(n_) : total);
        for (int first = 0; first < row(); first += 4) {
            const Numbers count = Numbers{1, 2, 3, 4} + four_times(static_cast<Real>(first));
            const Numbers part = none ? count : load_four(sums + first);
            publish(first, part * four_times(scale), exploration);
        }
    }

    Real* start_;
    int n_;
};

}  // namespace fogtree
