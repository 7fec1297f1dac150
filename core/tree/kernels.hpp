// The solver's inner loops (kernels), compiled once per instruction set.
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
    Real* utility;  // of action a in lane l: [a * stride + l]; so are the next two
    Real* strategy;
    Real* regret;
    Real* memory;  // one per lane: what a rule remembers besides regrets
    Real* value;   // one per lane, out: expected utility
};

// After an update a positive regret is multiplied by `positive`, any other by `negative`: (1, 1) is
// CFR, (1, 0) is CFR+, and factors in between are discounted CFR.
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
    // Arguments: payoffs, begin, end, reach, out. Writes to `out`, for the positions of the tiles
    // [begin, end), the sum of payoffs times the other player's reach. The number in the name is
    // the width of a tile.
    void (*product4)(const PayoffView<Real>&, std::int32_t, std::int32_t, const Real*, Real*);
    void (*product8)(const PayoffView<Real>&, std::int32_t, std::int32_t, const Real*, Real*);
    void (*product16)(const PayoffView<Real>&, std::int32_t, std::int32_t, const Real*, Real*);
    // By rule: computes the lanes' values, adds to the regrets and sets the next strategy.
    void (*update[kRules])(const Span<Real>&, const Discount<Real>&);
    // Computes the lanes' values alone: under the strategy, or of the best action.
    void (*evaluate)(const Span<Real>&);
    void (*maximise)(const Span<Real>&);
    // utility[parent] += copies * value.
    void (*collect)(const Span<Real>&, const std::int32_t* parent, const Real* copies,
                    Real* utility);
    // With the old reach: average += share * (reach - average). Then: reach = reach[parent] *
    // strategy.
    void (*push)(const Span<Real>&, const std::int32_t* parent, double share, Real* group_reach,
                 double* group_average, const Real* reach);
};

// The kernels of the best instruction set that this processor has.
template <class Real>
const Kernels<Real>& kernels();

// The kernels of all instruction sets that this processor has, the fastest last; for tests.
template <class Real>
std::vector<const Kernels<Real>*> all_kernels();

}  // namespace fogtree
