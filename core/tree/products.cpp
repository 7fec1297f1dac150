// Payoff tiles times the other player's reach. Compiled once per instruction set.
#include "common/simd_vector.hpp"
#include "tree/kernels_isa.hpp"

namespace fogtree::FOGTREE_ISA {

// A column of a tile: W numbers in vectors that fit into registers.
template <class Real, int W>
struct Column {
    static constexpr int kWidth = W < kLanes<Real> ? W : kLanes<Real>;
    static constexpr int kParts = W / kWidth;
    using V = Vector<Real, kWidth>;
    V parts[kParts] = {};

    // Adds the numbers at `from`, times a factor.
    void add(const Real* from, Real factor) {
        for (int p = 0; p < kParts; ++p) parts[p] += load<V>(from + p * kWidth) * factor;
    }
};

// Writes to `out` the utilities of the positions of the tiles [begin, end), which have W rows each:
// the sum of payoffs times the other player's reach. The sums of even and of odd terms are
// independent, so that the processor can add both at the same time.
template <class Real, int W>
void product(const PayoffView<Real>& payoffs, std::int32_t begin, std::int32_t end,
             const Real* __restrict reach, Real* __restrict out) {
    using Sums = Column<Real, W>;
    for (std::int32_t t = begin; t < end; ++t) {
        const Tile& tile = payoffs.tiles[t];
        Sums even, odd;
        const Term* term = payoffs.terms + tile.begin;
        const Term* const last = payoffs.terms + tile.end;
        for (; term + 1 < last; term += 2) {
            even.add(payoffs.values + term[0].values, reach[term[0].column]);
            odd.add(payoffs.values + term[1].values, reach[term[1].column]);
        }
        if (term < last) even.add(payoffs.values + term->values, reach[term->column]);
        for (int p = 0; p < Sums::kParts; ++p) even.parts[p] += odd.parts[p];
        if (tile.whole) {
            for (int p = 0; p < Sums::kParts; ++p) {
                store(out + tile.row + p * Sums::kWidth, even.parts[p]);
            }
        } else {
            Real sums[W];
            for (int p = 0; p < Sums::kParts; ++p) store(sums + p * Sums::kWidth, even.parts[p]);
            for (std::int32_t i = 0; i < tile.length; ++i) out[tile.row + i] = sums[i];
        }
    }
}

// Enters the products for tiles of each width into a table of kernels.
template <class Real>
void set_products(Kernels<Real>& table) {
    table.product4 = product<Real, 4>;
    table.product8 = product<Real, 8>;
    table.product16 = product<Real, 16>;
}

template void set_products<float>(Kernels<float>&);
template void set_products<double>(Kernels<double>&);

}  // namespace fogtree::FOGTREE_ISA
