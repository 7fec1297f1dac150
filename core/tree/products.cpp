// Payoff tiles times the other player's reach. Compiled once per instruction set.
#include "common/simd_vector.hpp"
#include "tree/kernels_isa.hpp"

namespace fogtree::FOGTREE_ISA {

// Writes to `out` the utilities of the positions of the tiles [begin, end), which have W rows each:
// the sum of payoffs times the other player's reach. The sums of
// even and of odd terms are independent, so that the processor can add both at the same time.
template <class Real, int W>
void product(const PayoffView<Real>& payoffs, std::int32_t begin, std::int32_t end,
             const Real* __restrict reach, Real* __restrict out) {
    using V = Vector<Real, W>;
    for (std::int32_t t = begin; t < end; ++t) {
        const Tile& tile = payoffs.tiles[t];
        V even{}, odd{};
        const Term* term = payoffs.terms + tile.begin;
        const Term* const last = payoffs.terms + tile.end;
        for (; term + 1 < last; term += 2) {
            even += load<V>(payoffs.values + term[0].values) * reach[term[0].column];
            odd += load<V>(payoffs.values + term[1].values) * reach[term[1].column];
        }
        if (term < last) even += load<V>(payoffs.values + term->values) * reach[term->column];
        even += odd;
        if (tile.whole) {
            store(out + tile.row, even);
        } else {
            for (std::int32_t i = 0; i < tile.length; ++i) out[tile.row + i] = even[i];
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
