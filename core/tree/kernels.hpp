// The inner loops, once per instruction set; `kernels<Real>()` picks the best one this machine has.
#pragma once

#include <cstdint>

#include "tree/layout.hpp"

namespace fogtree {

// Lanes [begin, end) of one group; multiples of kLaneAlign. Pointers are to the group's lane 0.
template <class Real>
struct Span {
    std::int32_t actions;
    std::int64_t stride;
    std::int32_t begin, end;
    Real* utility;  // actions x stride, and so on
    Real* strategy;
    Real* regret;
    Real* memory;  // one per lane: what a rule remembers besides regrets
    Real* value;   // one per lane, out: expected utility
};

// After an update a regret is multiplied by `positive` or `negative`, as its sign is: (1, 1) is
// CFR, (1, 0) is CFR+, and discounts in between.
template <class Real>
struct Discount {
    Real positive = 1;
    Real negative = 1;
};

// The regret minimizers that have a kernel.
enum class Rule : std::uint8_t {
    regret_matching,
    predictive,
    asymmetric_predictive,
    normal_hedge,
    hedge,
};
inline constexpr int kRules = 5;

// The payoff tiles of one player, as a kernel reads them.
template <class Real>
struct PayoffView {
    const Tile* tiles;
    const Term* terms;
    const Real* values;
};

// The functions of one instruction set.
template <class Real>
struct Kernels {
    const char* name;
    // out[own position] = sum of payoffs times the other's reach, for tiles [begin, end).
    void (*product4)(const PayoffView<Real>&, std::int32_t, std::int32_t, const Real*, Real*);
    void (*product8)(const PayoffView<Real>&, std::int32_t, std::int32_t, const Real*, Real*);
    void (*product16)(const PayoffView<Real>&, std::int32_t, std::int32_t, const Real*, Real*);
    // Expected utility, regrets, next strategy.
    void (*update[kRules])(const Span<Real>&, const Discount<Real>&);
    // Expected utility alone; the best action's utility.
    void (*evaluate)(const Span<Real>&);
    void (*maximise)(const Span<Real>&);
    // utility[parent] += copies * value.
    void (*collect)(const Span<Real>&, const std::int32_t* parent, const Real* copies,
                    Real* utility);
    // average += share * (reach - average), then reach = reach[parent] * strategy.
    void (*push)(const Span<Real>&, const std::int32_t* parent, double share, Real* group_reach,
                 double* group_average, const Real* reach);
};

template <class Real>
const Kernels<Real>& kernels();

// Those compiled in and able to run here, worst first; for tests.
template <class Real>
std::vector<const Kernels<Real>*> all_kernels();

}  // namespace fogtree
