// Payoff tiles times the other player's reach. Compiled once per instruction set.
#include "kernels_isa.hpp"
#include "vector.hpp"

namespace fogtree::FOGTREE_ISA {

template <class Real, int W>
void product(const PayoffView<Real>& payoffs, std::int32_t begin, std::int32_t end,
             const Real* __restrict reach, Real* __restrict out) {
    using V = Vector<Real, W>;
    for (std::int32_t t = begin; t < end; ++t) {
        const Tile& tile = payoffs.tiles[t];
        V even{}, odd{};
        for (std::int32_t b = tile.begin; b < tile.end; ++b) {
            const Block& block = payoffs.blocks[b];
            const Real* values = payoffs.values + block.values;
            const Real* column = reach + block.column;
            std::int32_t k = 0;
            for (; k + 1 < block.count; k += 2) {
                even += load<V>(values + std::int64_t{k} * W) * column[k];
                odd += load<V>(values + std::int64_t{k + 1} * W) * column[k + 1];
            }
            if (k < block.count) even += load<V>(values + std::int64_t{k} * W) * column[k];
        }
        even += odd;
        if (tile.whole) {
            store(out + tile.row, even);
        } else {
            for (std::int32_t i = 0; i < tile.length; ++i) out[tile.row + i] = even[i];
        }
    }
}

template <class Real>
void set_products(Kernels<Real>& table) {
    table.product4 = product<Real, 4>;
    table.product8 = product<Real, 8>;
    table.product16 = product<Real, 16>;
}

template void set_products<float>(Kernels<float>&);
template void set_products<double>(Kernels<double>&);

}  // namespace fogtree::FOGTREE_ISA
