#include "sampling/tree_trainer.hpp"

#include <atomic>
#include <exception>

#include "sampling/walk.hpp"

namespace fogtree {

// Shared numbers have one place per slot (an action of an information set), in the order of
// `first_slot`; baselines have one per slot and player, and only in `outcome_baseline`.
template <class Real>
TreeTrainer<Real>::TreeTrainer(const FlatTree& tree, const SamplingPlan& plan)
    : Trainer<Real>(plan),
      layout_(plan.scheme.scheme, tree.players),
      places_(layout_.places(tree)),
      game_(tree, places_),
      first_slot_(tree.first_slot),
      regret_(tree.slots()),
      average_(tree.slots()),
      tables_(static_cast<std::size_t>(plan.workers)) {
    if (plan.scheme.scheme == Scheme::outcome_baseline) {
        baseline_.resize(tree.slots() * static_cast<std::size_t>(tree.players));
    }
}

// Fills a worker's table. An information set has rows of one number per action (see TableLayout):
// row 0 the shared regrets; row 1 what this worker will add to the average, zero at first; then
// what the scheme needs: the shared average (`average`), zeros (`chance`), baselines
// (`outcome_baseline`), or the strategy, which prepare_path() computes (`outcome`).
template <class Real>
void TreeTrainer<Real>::load(DenseTable<Real>& table) const {
    table.values.resize(places_.back());
    const Scheme scheme = this->plan_.scheme.scheme;
    const std::size_t baseline_rows = baseline_.empty() ? 0 : layout_.rows() - 2;
    for (std::size_t i = 0; i + 1 < first_slot_.size(); ++i) {
        // `row` is n but for `outcome`, whose rows are padded; the others' row 2 begins at 2 * n.
        const std::size_t from = first(i), n = first(i + 1) - from, row = layout_.row(n);
        if (n < 2) continue;  // information sets with a single action are not stored
        Real* entry = table.values.data() + places_[i];
        for (std::size_t a = 0; a < n; ++a) {
            entry[a] = regret_[from + a];
            entry[row + a] = 0;
            if (scheme == Scheme::average) entry[2 * n + a] = static_cast<Real>(average_[from + a]);
            if (scheme == Scheme::chance) entry[2 * n + a] = 0;
        }
        if (scheme == Scheme::outcome) prepare_path(entry, n);
        for (std::size_t k = 0; k < baseline_rows * n; ++k)
            entry[2 * n + k] = baseline_[from * baseline_rows + k];
    }
}

// One worker's part of an epoch: fills its `table` with the shared numbers and makes its batch of
// walks, which change that table only. Returns the number of nodes visited.
template <class Real>
std::uint64_t TreeTrainer<Real>::walk_batch(DenseTable<Real>& table, std::int64_t epoch, int worker,
                                            const Stop& stop) const {
    load(table);
    const SamplingPlan& plan = this->plan_;
    CounterRandom random = this->random(epoch, worker);
    return walk_all(game_, table, random, plan.scheme, plan.clip(), plan.weight(epoch), plan.batch,
                    stop);
}

// Trains for some epochs, with one thread per worker; returns the number of epochs done. In an
// epoch all workers walk, wait for each other, and then each adds up the changes of its share of
// the information sets. An epoch in which a worker is stopped or fails is dropped, and is the last.
template <class Real>
std::int64_t TreeTrainer<Real>::run(std::int64_t epochs, const Stop& stop) {
    ThreadTeam team(this->plan_.workers);
    std::vector<std::uint64_t> nodes(tables_.size());
    std::atomic<bool> cut{false};  // written before workers meet, read after
    std::vector<std::exception_ptr> errors(tables_.size());
    const std::size_t count = first_slot_.size() - 1;
    const std::int64_t begin = this->epoch_ + 1;
    std::int64_t done = 0;
    team.run([&](int worker) {
        const auto w = static_cast<std::size_t>(worker), all = tables_.size();
        std::uint64_t touched = 0;
        for (std::int64_t made = 0; made < epochs; ++made) {
            const std::int64_t epoch = begin + made;
            std::uint64_t batch = 0;
            try {
                batch = walk_batch(tables_[w], epoch, worker, stop);
            } catch (const CutShort&) {
                cut.store(true);
            } catch (...) {
                errors[w] = std::current_exception();
                cut.store(true);
            }
            team.barrier();
            if (cut.load()) break;
            touched += batch;
            merge_infosets(count * w / all, count * (w + 1) / all, epoch);
            team.barrier();
            if (worker == 0) ++done;
        }
        nodes[w] = touched;
    });
    this->epoch_ += done;
    for (const std::uint64_t touched : nodes) this->nodes_ += touched;
    for (const std::exception_ptr& error : errors)
        if (error) std::rethrow_exception(error);
    return done;
}

// Adds all workers' changes of the information sets [begin, end) to the shared numbers: of regrets
// and baselines the mean of the changes, of averages (row 1 of an entry) the sum. `merge` does the
// same with changes that come from other processes.
template <class Real>
void TreeTrainer<Real>::merge_infosets(std::size_t begin, std::size_t end, std::int64_t epoch) {
    const std::size_t baseline_rows = baseline_.empty() ? 0 : layout_.rows() - 2;
    const auto share = Real(1) / static_cast<Real>(tables_.size());
    for (std::size_t i = begin; i < end; ++i) {
        const std::size_t from = first(i), n = first(i + 1) - from, row = layout_.row(n);
        if (n < 2) continue;
        for (std::size_t a = 0; a < n; ++a) {
            const std::size_t place = places_[i] + a;
            const Real before = regret_[from + a];
            Real regret = before;
            double average = average_[from + a];
            for (const auto& table : tables_) {
                regret += share * (table.values[place] - before);
                average += static_cast<double>(table.values[place + row]);
            }
            regret_[from + a] = regret;
            average_[from + a] = average;
        }
        for (std::size_t k = 0; k < baseline_rows * n; ++k) {
            const Real before = baseline_[from * baseline_rows + k];
            for (const auto& table : tables_) {
                const Real change = table.values[places_[i] + 2 * n + k] - before;
                baseline_[from * baseline_rows + k] += share * change;
            }
        }
    }
    if (begin < end) discount(first(begin), first(end), epoch);
}

// Multiplies the regrets of the slots [from, to) by the discount of their sign after this epoch; a
// factor of 0 drops negative ones.
template <class Real>
void TreeTrainer<Real>::discount(std::size_t from, std::size_t to, std::int64_t epoch) {
    const SamplingPlan& plan = this->plan_;
    if (!plan.discounts()) return;
    const auto t = static_cast<double>(epoch);
    const auto positive = static_cast<Real>(discount_factor(t, plan.positive_exponent));
    const auto negative = static_cast<Real>(discount_factor(t, plan.negative_exponent));
    for (std::size_t s = from; s < to; ++s) regret_[s] *= regret_[s] > 0 ? positive : negative;
}

// Makes one worker's walks of the next epoch and returns the changes, per slot, without adding
// them; `merge` adds those of all workers.
template <class Real>
Entries<Real> TreeTrainer<Real>::sample(int worker) {
    DenseTable<Real>& table = tables_.at(static_cast<std::size_t>(worker));
    Entries<Real> out;
    out.epoch = this->epoch_ + 1;
    out.nodes = walk_batch(table, out.epoch, worker, kNeverStop);
    out.regret.resize(regret_.size());
    out.average.resize(regret_.size());
    out.baseline.resize(baseline_.size());
    const std::size_t baseline_rows = baseline_.empty() ? 0 : layout_.rows() - 2;
    for (std::size_t i = 0; i + 1 < first_slot_.size(); ++i) {
        const std::size_t from = first(i), n = first(i + 1) - from, row = layout_.row(n);
        if (n < 2) continue;
        const Real* entry = table.values.data() + places_[i];
        for (std::size_t a = 0; a < n; ++a) {
            out.regret[from + a] = entry[a] - regret_[from + a];
            out.average[from + a] = static_cast<double>(entry[row + a]);
        }
        for (std::size_t k = 0; k < baseline_rows * n; ++k) {
            out.baseline[from * baseline_rows + k] =
                entry[2 * n + k] - baseline_[from * baseline_rows + k];
        }
    }
    return out;
}

// Adds the changes that all workers' `sample` returned, and ends the epoch: of regrets and
// baselines the mean, of averages the sum.
template <class Real>
void TreeTrainer<Real>::merge(const std::vector<Entries<Real>>& changes) {
    this->check(changes);
    for (const auto& change : changes) {
        if (change.regret.size() != regret_.size() || change.average.size() != regret_.size() ||
            change.baseline.size() != baseline_.size()) {
            throw std::invalid_argument("a change does not fit the tree");
        }
    }
    const auto share = Real(1) / static_cast<Real>(changes.size());
    for (const auto& change : changes) {
        for (std::size_t s = 0; s < regret_.size(); ++s) {
            regret_[s] += share * change.regret[s];
            average_[s] += change.average[s];
        }
        for (std::size_t k = 0; k < baseline_.size(); ++k) {
            baseline_[k] += share * change.baseline[k];
        }
        this->nodes_ += change.nodes;
    }
    discount(0, regret_.size(), ++this->epoch_);
}

// All that a later `restore` needs to continue: epoch, nodes, regrets, averages, baselines.
template <class Real>
Entries<Real> TreeTrainer<Real>::contents() const {
    return {this->epoch_, this->nodes_, {}, {}, regret_, average_, baseline_};
}

// Replaces all numbers by those that `contents` returned, of a tree of the same size.
template <class Real>
void TreeTrainer<Real>::restore(const Entries<Real>& contents) {
    if (contents.epoch < 0 || contents.epoch > kMostIterations ||
        contents.regret.size() != regret_.size() || contents.average.size() != average_.size() ||
        contents.baseline.size() != baseline_.size()) {
        throw std::invalid_argument("the contents do not fit the tree");
    }
    this->epoch_ = contents.epoch;
    this->nodes_ = contents.nodes;
    regret_ = contents.regret;
    average_ = contents.average;
    baseline_ = contents.baseline;
}

// The number of information sets at which something was learnt: with a regret or an average that is
// not 0.
template <class Real>
std::size_t TreeTrainer<Real>::infosets() const {
    std::size_t seen = 0;
    for (std::size_t i = 0; i + 1 < first_slot_.size(); ++i) {
        bool any = false;
        for (std::size_t s = first(i); s < first(i + 1); ++s) {
            any = any || average_[s] > 0 || regret_[s] != 0;
        }
        seen += any ? 1 : 0;
    }
    return seen;
}

// The bytes of the tree, of the shared numbers and of all workers' tables.
template <class Real>
std::size_t TreeTrainer<Real>::bytes() const {
    return game_.bytes() + average_.size() * sizeof(double) +
           sizeof(Real) * (regret_.size() + places_.back() * tables_.size() + baseline_.size());
}

// Throws OutOfMemory if the tables take more bytes; they never grow.
template <class Real>
void TreeTrainer<Real>::limit(std::size_t bytes) {
    if (this->bytes() > bytes) throw OutOfMemory();
}

template class TreeTrainer<float>;
template class TreeTrainer<double>;

}  // namespace fogtree
