// Training on a compiled tree: tables are plain arrays over slots.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/thread_team.hpp"
#include "sampling/dense_table.hpp"
#include "sampling/table_layout.hpp"
#include "sampling/trainer.hpp"
#include "sampling/tree_simulator.hpp"

namespace fogtree {

// Trains on one compiled tree.
template <class Real>
class TreeTrainer final : public Trainer<Real> {
public:
    TreeTrainer(const FlatTree& tree, const SamplingPlan& plan);

    std::int64_t run(std::int64_t epochs, const Stop& stop) override;
    Entries<Real> sample(int worker) override;
    void merge(const std::vector<Entries<Real>>& changes) override;
    Entries<Real> contents() const override;
    void restore(const Entries<Real>& contents) override;
    std::size_t infosets() const override;
    std::size_t bytes() const override;
    void limit(std::size_t bytes) override;

private:
    void load(DenseTable<Real>& table) const;
    std::uint64_t walk_batch(DenseTable<Real>& table, std::int64_t epoch, int worker,
                             const Stop& stop) const;
    void merge_infosets(std::size_t begin, std::size_t end, std::int64_t epoch);
    void discount(std::size_t first, std::size_t last, std::int64_t epoch);
    // The first slot of an information set.
    std::size_t first(std::size_t infoset) const {
        return static_cast<std::size_t>(first_slot_[infoset]);
    }

    TableLayout layout_;
    std::vector<std::uint32_t> places_;
    TreeSimulator<Real> game_;
    std::vector<std::int32_t> first_slot_;
    std::vector<Real> regret_, baseline_;
    std::vector<double> average_;
    std::vector<DenseTable<Real>> tables_;  // per worker
};

extern template class TreeTrainer<float>;
extern template class TreeTrainer<double>;

// A trainer of a compiled tree that stores its information sets in a growing hash table, as
// trainers of simulated games do; for tests of that table.
std::unique_ptr<Trainer<double>> hash_table_trainer(const FlatTree& tree, const SamplingPlan& plan);

}  // namespace fogtree
