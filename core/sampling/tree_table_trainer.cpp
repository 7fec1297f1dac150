#include "sampling/table_trainer.hpp"
#include "sampling/tree_simulator.hpp"
#include "sampling/tree_trainer.hpp"

namespace fogtree {

// A trainer that keeps a compiled tree's information sets in a hash table, for tests of that table.
std::unique_ptr<Trainer<double>> hash_table_trainer(const FlatTree& tree,
                                                    const SamplingPlan& plan) {
    using Game = TreeSimulator<double>;
    TableLayout(plan.scheme.scheme, tree.players)
        .places(tree);  // throws where it cannot be sampled
    const std::vector<std::uint32_t> slots(tree.first_slot.begin(), tree.first_slot.end());
    return std::make_unique<TableTrainer<Game>>(std::make_shared<const Game>(tree, slots), plan);
}

}  // namespace fogtree
