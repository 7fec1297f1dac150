// Training with a growing hash table, for games whose information sets are not known beforehand.
//
// A worker reads the shared table, which does not change during an epoch, and writes to a table of
// its own. An epoch that does not fit in the memory allowed is dropped, so that training stops at
// the end of an epoch and can be continued with more memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "sampling/growing_table.hpp"
#include "sampling/table_layout.hpp"
#include "sampling/trainer.hpp"

namespace fogtree {

// All of the training but the walks through a game: the tables and how they are added up.
class GrowingTrainer : public Trainer<double> {
public:
    using Real = double;
    using Record = GrowingTable::Record;

    GrowingTrainer(const SamplingPlan& plan, int players);

    // Trains for some epochs, with one thread per worker; returns the number of epochs done. After
    // each, the rows of all workers' tables are added to the shared table; an epoch that is stopped
    // is dropped.
    std::int64_t run(std::int64_t epochs, const Stop& stop) override;
    // Runs one worker's part of the next epoch and returns its changes, without adding them to the
    // shared table (see `merge`). For workers in other processes.
    Entries<Real> sample(int number) override;
    // Adds the changes of all workers to the shared table and ends the epoch: counts it and
    // discounts the regrets.
    void merge(const std::vector<Entries<Real>>& changes) override;
    // The shared table as arrays, from which restore() can continue.
    Entries<Real> contents() const override;
    // Replaces the shared table by what contents() returned.
    void restore(const Entries<Real>& contents) override;

    std::size_t infosets() const override { return table_.size(); }
    // The bytes of the shared table and of the workers' tables.
    std::size_t bytes() const override;
    // Bounds the bytes of all tables; throws OutOfMemory if they are larger already.
    void limit(std::size_t bytes) override;

protected:
    // The table as a walk sees it: a worker's own records, each copied from the shared table on
    // first use.
    struct View {
        using Real = double;
        const GrowingTrainer& trainer;
        GrowingTable& own;
        const Stop& stop;

        // The worker's numbers of an information set with n actions; when first met they are copied
        // from the shared ones. Throws KeyCollision if the key was met with another number of
        // actions.
        [[gnu::always_inline]] inline Real* at(std::uint64_t key, int n) {
            stop.check();  // here, because a single walk may be longer than anybody waits
            const std::size_t needed = trainer.layout_.entry(static_cast<std::size_t>(n));
            const auto [record, made] = own.find_or_add(key, n, units(needed * sizeof(Real)));
            if (made) {
                trainer.copy_shared(*record);
                if (trainer.plan_.scheme.scheme == Scheme::outcome) {
                    prepare_path(reals(*record), static_cast<std::size_t>(n));
                }
            } else if (record->actions != static_cast<std::uint32_t>(n)) {
                throw KeyCollision();
            }
            return reals(*record);
        }

        // Counts the bytes that the walk itself now keeps, outside of the table, against the
        // worker's limit of memory; throws OutOfMemory beyond it.
        void count_outside(std::size_t bytes) { own.count_outside(bytes); }
    };

    // Makes one worker's batch of walks with this view of the tables; returns the number of nodes
    // visited.
    virtual std::uint64_t walk(View& view, CounterRandom& random, double weight,
                               const Stop& stop) = 0;

private:
    // One worker's table, and how many nodes it visited.
    struct Worker {
        GrowingTable table;
        std::uint64_t nodes = 0;
    };

    // A worker's record is as its layout says. A shared one is n doubles, the averages, then n
    // regrets and the baselines. units(): bytes in units of eight, rounded up. reals(): the numbers
    // of a worker's record. averages() and shared_reals(): the two parts of a shared record.
    static std::size_t units(std::size_t bytes) { return (bytes + 7) / 8; }
    static Real* reals(Record& record) { return reinterpret_cast<Real*>(record.data()); }
    static const Real* reals(const Record& record) {
        return reinterpret_cast<const Real*>(record.data());
    }
    static double* averages(Record& record) { return reinterpret_cast<double*>(record.data()); }
    static const double* averages(const Record& record) {
        return reinterpret_cast<const double*>(record.data());
    }
    static Real* shared_reals(Record& record) {
        return reinterpret_cast<Real*>(record.data() + record.actions);
    }
    static const Real* shared_reals(const Record& record) {
        return reinterpret_cast<const Real*>(record.data() + record.actions);
    }
    // How many baselines a record of n actions has.
    std::size_t baselines(std::size_t n) const {
        return plan_.scheme.scheme == Scheme::outcome_baseline ? (layout_.rows() - 2) * n : 0;
    }

    // The size of a shared record's numbers in units of eight bytes: averages, then regrets and
    // baselines.
    std::size_t shared_units(std::size_t n) const {
        return n + units((n + baselines(n)) * sizeof(Real));
    }

    // Copies an information set's regrets and, as the scheme needs them, baselines or averages from
    // the shared table to a worker's new record. Throws KeyCollision if their numbers of actions
    // differ.
    void copy_shared(Record& own) const;

    // Makes one worker's batch of walks. Afterwards the worker's table has the changes of regrets
    // and baselines, and what is to be added to averages.
    void work(int number, const Stop& stop);

    // Divides the memory that is left: half for the workers' tables, half for what they will add to
    // the shared one.
    void share_memory();

    // Throws OutOfMemory unless the records that the shared table does not have yet fit into the
    // memory. `visit(count)` calls count(key, actions) for every record that is to be added.
    template <class Visit>
    void reserve(Visit&& visit) const;

    // Adds one worker's changes of an information set with n actions to the shared table: those of
    // regrets and baselines divided by the number of workers, those of averages whole.
    template <class Average>
    void add(std::uint64_t key, std::size_t n, const Real* regret, const Average* average,
             const Real* baseline);

    // Multiplies all regrets by the discount of their sign after this epoch; a factor of 0 drops
    // negative ones.
    void discount(std::int64_t epoch);

    // Reserves in the arrays of `out` the room that the table's records take.
    void reserve(Entries<Real>& out, const GrowingTable& table) const;

    // Writes one record at the end of the arrays of `out`.
    template <class Average>
    void append(Entries<Real>& out, const Record& record, const Real* regret,
                const Average* average, const Real* baseline) const;

    // Calls visit(key, actions, regrets, averages, baselines) for every entry.
    template <class Visit>
    void go_through(const Entries<Real>& entries, Visit&& visit) const;

    // Throws std::invalid_argument if the lengths of the arrays contradict each other.
    void check_sizes(const Entries<Real>& entries) const;

    TableLayout layout_;
    GrowingTable table_;
    std::vector<Worker> workers_;
    std::size_t limit_ = std::numeric_limits<std::size_t>::max();
};

}  // namespace fogtree
