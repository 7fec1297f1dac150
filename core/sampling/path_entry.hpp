// What outcome sampling keeps at an information set: regrets, averages, and the strategy that
// follows from the regrets, as sums for a draw and as it is.
//
// There are four rows with a number per action, padded to a multiple of four numbers: regrets, what
// was added to the average, cumulative probabilities (of the actions up to this one; 1 from the
// last action on) and probabilities. Padding is 0 in all rows but the third.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "common/simd4.hpp"
#include "sampling/scheme.hpp"

namespace fogtree {

inline constexpr std::size_t kPathRows = 4;

// The number of groups of four numbers in a row, as a template argument: 1, 2, or any.
enum class Width : std::uint8_t { four, eight, any };

// Which of four neighbouring numbers in a row belong to actions; the others are padding.
template <class Real>
struct Padding {
    Simd4<Real> inside;  // 1 for an action
    Simd4<Real> last;    // 1 from the last action on
};
// By the number of actions from the first of the four numbers on; 5 stands for 5 or more.
template <class Real>
inline constexpr Padding<Real> kPaddings[] = {
    {{0, 0, 0, 0}, {1, 1, 1, 1}}, {{1, 0, 0, 0}, {1, 1, 1, 1}}, {{1, 1, 0, 0}, {0, 1, 1, 1}},
    {{1, 1, 1, 0}, {0, 0, 1, 1}}, {{1, 1, 1, 1}, {0, 0, 0, 1}}, {{1, 1, 1, 1}, {0, 0, 0, 0}}};

// 1, 2, 3, ...: the number of actions up to each, of which multiples are cumulative probabilities
// of the uniform strategy.
template <class Real>
inline constexpr auto kCounts = [] {
    std::array<Real, kMostActions> out{};
    for (std::size_t a = 0; a < out.size(); ++a) out[a] = static_cast<Real>(a + 1);
    return out;
}();

// The numbers of one information set with n actions, which begin at `start` in a table.
template <class Real, Width kWidth>
class PathEntry {
    using Numbers = Simd4<Real>;
    using Indices = Simd4Indices<Real>;

public:
    PathEntry(Real* start, int n) : start_(start), n_(n) {}

    // Clears the padding and computes the strategy; to be called when the regrets were written from
    // outside.
    void prepare() {
        for (int a = n_; a < 4 * groups(); ++a) start_[a] = start_[4 * groups() + a] = 0;
        match();
    }

    // Draws an action by the strategy.
    template <class Source>
    int pick(Source& source) const {
        return source.pick_by_sums([&](int g) { return load4(sums() + 4 * g); }, groups(), n_);
    }

    // Draws an action a with probability keep * strategy(a) + even.
    template <class Source>
    int explore(Source& source, Real keep, Real even) const {
        return source.pick_by_sums(
            [&](int g) {
                return larger(
                    broadcast4(keep) * load4(sums() + 4 * g) + broadcast4(even) * counts(g),
                    padding(g).last);
            },
            groups(), n_);
    }

    Real probability(int a) const { return strategy()[a]; }  // by the strategy

    // Adds the strategy, times `share`, to the average.
    void add_to_average(Real share) {
        Real* average = start_ + 4 * groups();
        for (int a = 0; a < 4 * groups(); a += 4) {
            store4(average + a, load4(average + a) + broadcast4(share) * load4(strategy() + a));
        }
    }

    // Adds `others` to the regret of every action, and `more` besides to that of the chosen one;
    // regrets below `floor` become `floor`. The strategy changes only with match().
    void learn(int chosen, Real others, Real more, Real floor) {
        const Numbers none{};
        for (int g = 0; g < groups(); ++g) {
            const Indices place = Indices{0, 1, 2, 3} + broadcast4_index<Real>(4 * g);
            const Numbers extra = place == broadcast4_index<Real>(chosen) ? broadcast4(more) : none;
            const Numbers gain = broadcast4(others) * padding(g).inside + extra;
            const Numbers moved = load4(start_ + 4 * g) + gain;
            store4(start_ + 4 * g, larger(moved, broadcast4(floor)));
        }
    }

    // Regret matching: computes the strategy, in proportion to the positive regrets, or uniform if
    // there are none. Probabilities are differences of rounded cumulative ones, so that they
    // are exactly those of a draw.
    void match() {
        const Numbers none{}, one = broadcast4(Real(1));
        Numbers part;
        Real total = 0;
        for (int g = 0; g < groups(); ++g) {
            part = running_sums(larger(load4(start_ + 4 * g), none));
            if constexpr (kWidth != Width::four) store4(sums() + 4 * g, part += broadcast4(total));
            total = part[3];
        }
        const bool any = total > 0;
        const Real scale = 1 / (any ? total : static_cast<Real>(n_));
        Real before = 0;
        for (int g = 0; g < groups(); ++g) {
            if constexpr (kWidth != Width::four) part = load4(sums() + 4 * g);
            const Numbers exact = (any ? part : counts(g)) * broadcast4(scale);
            const Numbers upper = larger(exact < one ? exact : one, padding(g).last);
            Numbers lower = rearranged<4, 0, 1, 2>(upper);
            lower[0] = before;
            before = upper[3];
            store4(sums() + 4 * g, upper);
            store4(strategy() + 4 * g, upper - lower);
        }
    }

private:
    // The number of groups of four numbers in a row.
    int groups() const {
        if constexpr (kWidth == Width::four) return 1;
        if constexpr (kWidth == Width::eight) return 2;
        return (n_ + 3) / 4;
    }
    Real* sums() const { return start_ + 8 * groups(); }       // row 2: cumulative probabilities
    Real* strategy() const { return start_ + 12 * groups(); }  // row 3: probabilities

    // Which numbers of a group of four belong to actions.
    const Padding<Real>& padding(int group) const {
        if constexpr (kWidth == Width::four) return kPaddings<Real>[n_];
        return kPaddings<Real>[std::min(n_ - 4 * group, 5)];
    }
    // The numbers 4 * group + 1 to 4 * group + 4.
    static Numbers counts(int group) { return load4(kCounts<Real>.data() + 4 * group); }

    Real* start_;
    int n_;
};

// Computes the strategy of an information set whose numbers begin at `start` and whose regrets were
// written from outside.
template <class Real>
void prepare_path(Real* start, std::size_t actions) {
    const auto n = static_cast<int>(actions);
    if (n <= 4) {
        PathEntry<Real, Width::four>(start, n).prepare();
    } else if (n <= 8) {
        PathEntry<Real, Width::eight>(start, n).prepare();
    } else {
        PathEntry<Real, Width::any>(start, n).prepare();
    }
}

}  // namespace fogtree
