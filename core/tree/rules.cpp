// Local regret minimizers over all lanes (information sets, see layout.hpp) of a group at once.
// Compiled once per instruction set, without contraction, so that they agree with their NumPy
// references (src/fogtree/minimizers) as far as the order of additions allows.
#include <cmath>

#include "tree/kernels_isa.hpp"
#include "tree/wide_vector.hpp"

namespace fogtree::FOGTREE_ISA {
namespace {

// Calls `run(actions)`, where 2, 3 and 4 actions are a compile-time constant, so that the compiler
// unrolls loops over them.
template <class Function>
inline void with_actions(std::int32_t actions, Function&& run) {
    switch (actions) {
        case 2:
            run(std::integral_constant<std::int32_t, 2>{});
            break;
        case 3:
            run(std::integral_constant<std::int32_t, 3>{});
            break;
        case 4:
            run(std::integral_constant<std::int32_t, 4>{});
            break;
        default:
            run(actions);
    }
}

// The expected utility of the strategy, for the vector of lanes that begins at `lane`; also stored
// as their values.
template <class Real>
inline Wide<Real> expected(const Span<Real>& s, std::int32_t actions, std::int64_t lane) {
    Wide<Real> value{};
    for (std::int32_t a = 0; a < actions; ++a) {
        value += load<Wide<Real>>(s.strategy + a * s.stride + lane) *
                 load<Wide<Real>>(s.utility + a * s.stride + lane);
    }
    store(s.value + lane, value);
    return value;
}

// The absolute values of a vector.
template <class Real>
inline Wide<Real> magnitude(const Wide<Real>& v) {
    return v < Wide<Real>{} ? -v : v;
}

// The size up to which a lane's regret of one iteration is only rounding error: its largest utility
// times a small factor. Such regrets count as 0, because the rules do not depend on scale and would
// turn them into pure strategies. See Minimizer.observe in Python.
template <class Real>
inline Wide<Real> rounding(const Span<Real>& s, std::int32_t actions, std::int64_t lane) {
    Wide<Real> largest{};
    for (std::int32_t a = 0; a < actions; ++a) {
        largest = larger<Wide<Real>>(
            largest, magnitude<Real>(load<Wide<Real>>(s.utility + a * s.stride + lane)));
    }
    return largest * (sizeof(Real) == 4 ? Real(0x1p-21) : Real(0x1p-44));
}

// A regret times the discount of its sign.
template <class Real>
inline Wide<Real> discounted(const Wide<Real>& regret, const Discount<Real>& discount) {
    const Wide<Real> zero{};
    return regret * (regret > zero ? zero + discount.positive : zero + discount.negative);
}

// Adds this iteration's regret of one action (utility minus `value`, 0 if it is within `noise`) to
// the stored sum and discounts it. Returns the sum; `now` becomes this iteration's regret. `at`:
// the place of the action in a vector of lanes.
template <class Real>
inline Wide<Real> add_regret(const Span<Real>& s, std::int64_t at, const Wide<Real>& value,
                             const Wide<Real>& noise, const Discount<Real>& discount,
                             Wide<Real>& now) {
    now = load<Wide<Real>>(s.utility + at) - value;
    now = magnitude<Real>(now) > noise ? now : Wide<Real>{};
    const Wide<Real> total = discounted<Real>(load<Wide<Real>>(s.regret + at) + now, discount);
    store(s.regret + at, total);
    return total;
}

// Divides the weights stored in `strategy` by `sum`, so that they become probabilities; uniform
// where the sum is 0.
template <class Real>
inline void normalise(const Span<Real>& s, std::int32_t actions, std::int64_t lane,
                      const Wide<Real>& sum) {
    const Wide<Real> zero{};
    const auto some = sum > zero;
    const Wide<Real> divisor = some ? sum : zero + Real(1);
    const Wide<Real> uniform = zero + Real(1) / static_cast<Real>(actions);
    for (std::int32_t a = 0; a < actions; ++a) {
        Real* to = s.strategy + a * s.stride + lane;
        const Wide<Real> share = load<Wide<Real>>(to) / divisor;
        store(to, some ? share : uniform);
    }
}

// Regret matching and its variants: adds the regrets of this iteration, discounts the sums, and
// sets the next strategy in proportion to their positive parts. Hart & Mas-Colell, "A simple
// adaptive procedure leading to correlated equilibrium" (2000); Tammelin, "Solving large imperfect
// information games using CFR+" (2014). This iteration's regret divided by `divisor` is added as a
// prediction of the next one; with 0 nothing is. With 1: Farina, Kroer & Sandholm, "Faster game
// solving via predictive Blackwell approachability" (2021); with 3: Meng et al., "Faster game
// solving via asymmetry of step sizes" (2025).
template <class Real, int divisor>
void regret_matching(const Span<Real>& s, const Discount<Real>& discount) {
    with_actions(s.actions, [&](auto actions) {
        for (std::int64_t lane = s.begin; lane < s.end; lane += kLanes<Real>) {
            const Wide<Real> value = expected(s, actions, lane);
            const Wide<Real> noise = rounding(s, actions, lane);
            Wide<Real> sum{}, now;
            for (std::int32_t a = 0; a < actions; ++a) {
                const std::int64_t at = a * s.stride + lane;
                Wide<Real> weight = add_regret(s, at, value, noise, discount, now);
                if constexpr (divisor > 0) weight += now * (Real(1) / Real(divisor));
                weight = positive(weight);
                store(s.strategy + at, weight);
                sum += weight;
            }
            normalise<Real>(s, actions, lane, sum);
        }
    });
}

// The number tau that sets the scale of NormalHedge, for a vector of lanes; `divisor` is the
// largest positive regret, max R+. Chaudhuri, Freund & Hsu, "A parameter-free hedging algorithm"
// (2009). With q = (R+ / max R+)^2 the scale is c = (max R+)^2 / (2 tau), where tau solves
// mean exp(q tau) = e. That function is convex and increasing and its root lies in
// [1, ln(1 + n(e - 1))], so Newton's method from the right end falls to it without overshooting,
// whatever the regrets are.
template <class Real>
inline Wide<Real> scale_exponent(const Span<Real>& s, std::int32_t actions, std::int64_t lane,
                                 const Wide<Real>& divisor) {
    const Wide<Real> zero{};
    const Real e = Real(2.718281828459045235);
    const Real count = static_cast<Real>(actions);
    Wide<Real> tau = zero + std::log(Real(1) + count * (e - Real(1)));
    for (int step = 0; step < 60; ++step) {
        Wide<Real> sum{}, slope{};
        for (std::int32_t a = 0; a < actions; ++a) {
            const Wide<Real> ratio =
                positive(load<Wide<Real>>(s.regret + a * s.stride + lane)) / divisor;
            const Wide<Real> q = ratio * ratio;
            const Wide<Real> power = exponential<Real>(q * tau);
            sum += power;
            slope += q * power;
        }
        const Wide<Real> next = larger<Wide<Real>>(
            tau - (sum - count * e) / larger<Wide<Real>>(slope, zero + Real(1)), zero + Real(1));
        const auto falls = tau - next > tau * (sizeof(Real) == 4 ? Real(1e-7) : Real(4e-16));
        tau = falls ? next : tau;
        bool still = true;
        for (int i = 0; i < kLanes<Real>; ++i) still = still && falls[i] == 0;
        if (still) break;
    }
    return tau;
}

// NormalHedge: adds the regrets of this iteration, and makes the next strategy proportional to
// R exp(R^2 / 2c) for the positive sums R, with the scale c of scale_exponent().
template <class Real>
void normal_hedge(const Span<Real>& s, const Discount<Real>& discount) {
    const Wide<Real> zero{};
    for (std::int64_t lane = s.begin; lane < s.end; lane += kLanes<Real>) {
        const Wide<Real> value = expected(s, s.actions, lane);
        const Wide<Real> noise = rounding(s, s.actions, lane);
        Wide<Real> most{}, sum{}, now;
        for (std::int32_t a = 0; a < s.actions; ++a) {
            most = larger<Wide<Real>>(
                most, add_regret(s, a * s.stride + lane, value, noise, discount, now));
        }
        const Wide<Real> divisor = most > zero ? most : zero + Real(1);
        const Wide<Real> tau = scale_exponent(s, s.actions, lane, divisor);
        for (std::int32_t a = 0; a < s.actions; ++a) {
            const std::int64_t at = a * s.stride + lane;
            const Wide<Real> ratio = positive(load<Wide<Real>>(s.regret + at)) / divisor;
            const Wide<Real> weight = ratio * exponential<Real>(ratio * ratio * tau);
            store(s.strategy + at, weight);
            sum += weight;
        }
        normalise<Real>(s, s.actions, lane, sum);
    }
}

// sqrt(a^2 + b^2) for a, b >= 0, without underflow where they are small.
template <class Real>
inline Wide<Real> length(const Wide<Real>& a, const Wide<Real>& b) {
    const Wide<Real> zero{};
    const Wide<Real> large = larger(a, b), small = a < b ? a : b;
    const Wide<Real> ratio = small / (large > zero ? large : zero + Real(1));
    Wide<Real> root = Real(1) + ratio * ratio;
    for (int i = 0; i < kLanes<Real>; ++i) root[i] = std::sqrt(root[i]);
    return large * root;
}

// Hedge: probabilities are proportional to the exponential of regrets times a rate.
// Freund & Schapire, "A decision-theoretic generalization of on-line learning" (1997). Deviation:
// the rate sqrt(8 ln n) / m needs no bound on payoffs; `memory` is m, the root of the sum of
// squared ranges, kept without squaring, for ranges may be as small as the smallest product of
// reaches.
template <class Real>
void hedge(const Span<Real>& s, const Discount<Real>& discount) {
    const Wide<Real> zero{};
    const Real strength = std::sqrt(Real(8) * std::log(static_cast<Real>(s.actions)));
    for (std::int64_t lane = s.begin; lane < s.end; lane += kLanes<Real>) {
        const Wide<Real> value = expected(s, s.actions, lane);
        const Wide<Real> noise = rounding(s, s.actions, lane);
        Wide<Real> now, sum{};
        Wide<Real> most = add_regret(s, lane, value, noise, discount, now);
        Wide<Real> high = now, low = now;
        for (std::int32_t a = 1; a < s.actions; ++a) {
            most = larger<Wide<Real>>(
                most, add_regret(s, a * s.stride + lane, value, noise, discount, now));
            high = larger(high, now);
            low = low < now ? low : now;
        }
        const Wide<Real> seen = length<Real>(load<Wide<Real>>(s.memory + lane), high - low);
        store(s.memory + lane, seen);
        const Wide<Real> divisor = seen > zero ? seen : zero + Real(1);
        for (std::int32_t a = 0; a < s.actions; ++a) {
            const std::int64_t at = a * s.stride + lane;
            const Wide<Real> weight =
                exponential<Real>((load<Wide<Real>>(s.regret + at) - most) / divisor * strength);
            store(s.strategy + at, weight);
            sum += weight;
        }
        normalise<Real>(s, s.actions, lane, sum);
    }
}

// Computes the value of every lane under its strategy.
template <class Real>
void evaluate(const Span<Real>& s) {
    for (std::int64_t lane = s.begin; lane < s.end; lane += kLanes<Real>) {
        expected(s, s.actions, lane);
    }
}

// Computes the value of the best action of every lane.
template <class Real>
void maximise(const Span<Real>& s) {
    for (std::int64_t lane = s.begin; lane < s.end; lane += kLanes<Real>) {
        auto best = load<Wide<Real>>(s.utility + lane);
        for (std::int32_t a = 1; a < s.actions; ++a) {
            best = larger(best, load<Wide<Real>>(s.utility + a * s.stride + lane));
        }
        store(s.value + lane, best);
    }
}

// Adds the value of every lane to the utility of its parent sequence, once for each of the equal
// information sets below that sequence that the lane stands for (`copies`).
template <class Real>
void collect(const Span<Real>& s, const std::int32_t* parent, const Real* copies, Real* utility) {
    for (std::int32_t lane = s.begin; lane < s.end; ++lane) {
        utility[parent[lane]] += copies[lane] * s.value[lane];
    }
}

// Moves the average of a group's sequences towards their reach of before, by `share` of the
// difference, then replaces that reach by the reach of the current strategies. `reach` is the array
// of all sequences, by which those of the parents are found.
template <class Real>
void push(const Span<Real>& s, const std::int32_t* parent, double share, Real* group_reach,
          double* group_average, const Real* reach) {
    // Registers of 16 bytes convert floats faster if they are loaded several at a time.
    constexpr int lanes = sizeof(Real) == 4 && kLanes<double> == 2 ? 8 : kLanes<double>;
    using Reals = Vector<Real, lanes>;
    using Sums = Vector<double, lanes>;
    with_actions(s.actions, [&](auto actions) {
        for (std::int64_t lane = s.begin; lane < s.end; lane += lanes) {
            Reals above;
            for (int i = 0; i < lanes; ++i) above[i] = reach[parent[lane + i]];
            for (std::int32_t a = 0; a < actions; ++a) {
                const std::int64_t at = a * s.stride + lane;
                const auto average = load<Sums>(group_average + at);
                const auto old = __builtin_convertvector(load<Reals>(group_reach + at), Sums);
                store(group_average + at, average + share * (old - average));
                store(group_reach + at, above * load<Reals>(s.strategy + at));
            }
        }
    });
}

}  // namespace

// Enters the functions of this file into a table of kernels.
template <class Real>
void set_rules(Kernels<Real>& table) {
    table.update[static_cast<int>(Rule::regret_matching)] = regret_matching<Real, 0>;
    table.update[static_cast<int>(Rule::predictive)] = regret_matching<Real, 1>;
    table.update[static_cast<int>(Rule::asymmetric_predictive)] = regret_matching<Real, 3>;
    table.update[static_cast<int>(Rule::normal_hedge)] = normal_hedge<Real>;
    table.update[static_cast<int>(Rule::hedge)] = hedge<Real>;
    table.evaluate = evaluate<Real>;
    table.maximise = maximise<Real>;
    table.collect = collect<Real>;
    table.push = push<Real>;
}

template void set_rules<float>(Kernels<float>&);
template void set_rules<double>(Kernels<double>&);

}  // namespace fogtree::FOGTREE_ISA
