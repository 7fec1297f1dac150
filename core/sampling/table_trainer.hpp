// Training with a growing hash table, for games whose information sets are not known beforehand.
//
// A worker reads the shared table, which does not change during an epoch, and writes to a table of
// its own. An epoch that does not fit in the memory allowed is dropped, so that training stops at
// the end of an epoch and can be continued with more memory.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include "common/thread_team.hpp"
#include "sampling/growing_table.hpp"
#include "sampling/table_layout.hpp"
#include "sampling/trainer.hpp"

namespace fogtree {

// Trains one game by sampling, with a shared table that grows with the information sets met.
template <Simulator Game, class R>
class TableTrainer final : public Trainer<R> {
public:
    using Real = R;
    using Record = GrowingTable::Record;

    TableTrainer(std::shared_ptr<const Game> game, const SamplingPlan& plan)
        : Trainer<Real>(plan),
          game_(std::move(game)),
          layout_(plan.scheme.scheme, game_->players()),
          workers_(static_cast<std::size_t>(plan.workers)) {
        if (game_->players() < 2) throw std::invalid_argument("sampling needs two players or more");
    }

    // Trains for some epochs, with one thread per worker; returns the number of epochs done. After
    // each, the rows of all workers' tables are added to the shared table; an epoch that is stopped
    // is dropped.
    std::int64_t run(std::int64_t epochs, const Stop& stop) override {
        for (std::int64_t done = 0; done < epochs; ++done) {
            share_memory();
            try {
                run_on_threads(this->plan_.workers, [&](int worker) { work(worker, stop); });
            } catch (const CutShort&) {
                return done;
            }
            reserve([&](auto&& count) {
                for (const Worker& worker : workers_) {
                    worker.table.each([&](const Record& own) { count(own.key, own.actions); });
                }
            });
            for (const Worker& worker : workers_) {
                worker.table.each([&](const Record& own) {
                    const Real* values = reals(own);
                    const std::size_t n = own.actions, row = layout_.row(n);
                    add(own.key, n, values, values + row, values + 2 * row);
                });
                this->nodes_ += worker.nodes;
            }
            discount(++this->epoch_);
        }
        return epochs;
    }

    // Runs one worker's part of the next epoch and returns its changes, without adding them to the
    // shared table (see `merge`). For workers in other processes.
    Entries<Real> sample(int number) override {
        const Worker& worker = workers_.at(static_cast<std::size_t>(number));
        share_memory();
        work(number, kNeverStop);
        Entries<Real> out;
        out.epoch = this->epoch_ + 1;
        out.nodes = worker.nodes;
        reserve(out, worker.table);
        worker.table.each([&](const Record& own) {
            const Real* values = reals(own);
            const std::size_t row = layout_.row(own.actions);
            append(out, own, values, values + row, values + 2 * row);
        });
        return out;
    }

    // Adds the changes of all workers to the shared table and ends the epoch: counts it and
    // discounts the regrets.
    void merge(const std::vector<Entries<Real>>& changes) override {
        this->check(changes);
        for (const auto& change : changes) check_sizes(change);
        reserve([&](auto&& count) {
            for (const auto& change : changes) {
                for (std::size_t i = 0; i < change.keys.size(); ++i) {
                    count(change.keys[i], static_cast<std::size_t>(change.counts[i]));
                }
            }
        });
        for (const auto& change : changes) {
            go_through(change, [&](std::uint64_t key, std::size_t n, auto... values) {
                add(key, n, values...);
            });
            this->nodes_ += change.nodes;
        }
        discount(++this->epoch_);
    }

    // The shared table as arrays, from which restore() can continue.
    Entries<Real> contents() const override {
        Entries<Real> out;
        out.epoch = this->epoch_;
        out.nodes = this->nodes_;
        reserve(out, table_);
        table_.each([&](const Record& record) {
            const Real* values = shared_reals(record);
            append(out, record, values, averages(record), values + record.actions);
        });
        return out;
    }

    // Replaces the shared table by what contents() returned.
    void restore(const Entries<Real>& contents) override {
        check_sizes(contents);
        table_.clear();
        go_through(contents, [&](std::uint64_t key, std::size_t n, const Real* regret,
                                 const double* average, const Real* baseline) {
            const auto [record, made] =
                table_.find_or_add(key, static_cast<int>(n), shared_units(n));
            if (!made) throw std::invalid_argument("a key comes twice");
            std::copy_n(average, n, averages(*record));
            std::copy_n(regret, n, shared_reals(*record));
            std::copy_n(baseline, baselines(n), shared_reals(*record) + n);
        });
        this->epoch_ = contents.epoch;
        this->nodes_ = contents.nodes;
    }

    std::size_t infosets() const override { return table_.size(); }

    // The bytes of the shared table and of the workers' tables.
    std::size_t bytes() const override {
        std::size_t sum = table_.bytes();
        for (const Worker& worker : workers_) sum += worker.table.bytes();
        return sum;
    }

    // Bounds the bytes of all tables; throws OutOfMemory if they are larger already.
    void limit(std::size_t bytes) override {
        limit_ = bytes;
        if (this->bytes() > bytes) throw OutOfMemory();
    }

private:
    // The table as a walk sees it: a worker's own records, each copied from the shared table on
    // first use.
    struct View {
        using Real = R;
        const TableTrainer& trainer;
        GrowingTable& own;
        const Stop& stop;

        // The worker's numbers of an information set with n actions; when first met they are copied
        // from the shared ones. Throws KeyCollision if the key was met with another number of
        // actions.
        Real* at(std::uint64_t key, int n) {
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
        return this->plan_.scheme.scheme == Scheme::outcome_baseline ? (layout_.rows() - 2) * n : 0;
    }

    // The size of a shared record's numbers in units of eight bytes: averages, then regrets and
    // baselines.
    std::size_t shared_units(std::size_t n) const {
        return n + units((n + baselines(n)) * sizeof(Real));
    }

    // Copies an information set's regrets and, as the scheme needs them, baselines or averages from
    // the shared table to a worker's new record. Throws KeyCollision if their numbers of actions
    // differ.
    void copy_shared(Record& own) const {
        const Record* shared = table_.find(own.key);
        if (shared == nullptr) return;
        const std::size_t n = own.actions;
        if (shared->actions != own.actions) throw KeyCollision();
        const Real* from = shared_reals(*shared);
        Real* to = reals(own);
        std::copy_n(from, n, to);
        std::copy_n(from + n, baselines(n), to + 2 * n);
        if (this->plan_.scheme.scheme == Scheme::average) {
            for (std::size_t a = 0; a < n; ++a) {
                to[2 * n + a] = static_cast<Real>(averages(*shared)[a]);
            }
        }
    }

    // Makes one worker's batch of walks. Afterwards the worker's table has the changes of regrets
    // and baselines, and what is to be added to averages.
    void work(int number, const Stop& stop) {
        Worker& worker = workers_[static_cast<std::size_t>(number)];
        const SamplingPlan& plan = this->plan_;
        const std::int64_t epoch = this->epoch_ + 1;
        worker.table.clear();
        View view{*this, worker.table, stop};
        CounterRandom random = this->random(epoch, number);
        [[maybe_unused]] const auto guard = guard_of(*game_);
        worker.nodes = walk_all(*game_, view, random, plan.scheme, plan.clip(), plan.weight(epoch),
                                plan.batch, stop);
        worker.table.each([&](Record& own) {
            const Record* shared = table_.find(own.key);
            if (shared == nullptr) return;
            const std::size_t n = own.actions;
            const Real* before = shared_reals(*shared);
            Real* values = reals(own);
            for (std::size_t a = 0; a < n; ++a) values[a] -= before[a];
            for (std::size_t k = 0; k < baselines(n); ++k) values[2 * n + k] -= before[n + k];
        });
    }

    // Divides the memory that is left: half for the workers' tables, half for what they will add to
    // the shared one.
    void share_memory() {
        const std::size_t taken = table_.bytes();
        const std::size_t left = limit_ > taken ? limit_ - taken : 0;
        for (Worker& worker : workers_) worker.table.limit(left / 2 / workers_.size());
    }

    // Throws OutOfMemory unless the records that the shared table does not have yet fit into the
    // memory. `visit(count)` calls count(key, actions) for every record that is to be added.
    template <class Visit>
    void reserve(Visit&& visit) const {
        std::size_t records = 0, needed = 0;
        visit([&](std::uint64_t key, std::size_t n) {
            if (table_.find(key) != nullptr) return;
            ++records;
            needed += shared_units(n);
        });
        std::size_t sum = table_.bytes_with(records, needed);
        for (const Worker& worker : workers_) sum += worker.table.bytes();
        if (sum > limit_) throw OutOfMemory();
    }

    // Adds one worker's changes of an information set with n actions to the shared table: those of
    // regrets and baselines divided by the number of workers, those of averages whole.
    template <class Average>
    void add(std::uint64_t key, std::size_t n, const Real* regret, const Average* average,
             const Real* baseline) {
        const auto [record, made] = table_.find_or_add(key, static_cast<int>(n), shared_units(n));
        if (record->actions != n) throw KeyCollision();
        const auto share = Real(1) / static_cast<Real>(workers_.size());
        Real* values = shared_reals(*record);
        for (std::size_t a = 0; a < n; ++a) {
            values[a] += share * regret[a];
            averages(*record)[a] += static_cast<double>(average[a]);
        }
        for (std::size_t k = 0; k < baselines(n); ++k) values[n + k] += share * baseline[k];
    }

    // Multiplies all regrets by the discount of their sign after this epoch; a factor of 0 drops
    // negative ones.
    void discount(std::int64_t epoch) {
        const SamplingPlan& plan = this->plan_;
        if (!plan.discounts()) return;
        const auto t = static_cast<double>(epoch);
        const auto positive = static_cast<Real>(discount_factor(t, plan.positive_exponent));
        const auto negative = static_cast<Real>(discount_factor(t, plan.negative_exponent));
        table_.each([&](Record& record) {
            Real* regret = shared_reals(record);
            for (std::size_t a = 0; a < record.actions; ++a) {
                regret[a] *= regret[a] > 0 ? positive : negative;
            }
        });
    }

    // Reserves in the arrays of `out` the room that the table's records take.
    void reserve(Entries<Real>& out, const GrowingTable& table) const {
        std::size_t slots = 0;
        table.each([&](const Record& record) { slots += record.actions; });
        out.keys.reserve(table.size());
        out.counts.reserve(table.size());
        out.regret.reserve(slots);
        out.average.reserve(slots);
        out.baseline.reserve(baselines(slots));
    }

    // Writes one record at the end of the arrays of `out`.
    template <class Average>
    void append(Entries<Real>& out, const Record& record, const Real* regret,
                const Average* average, const Real* baseline) const {
        const std::size_t n = record.actions;
        out.keys.push_back(record.key);
        out.counts.push_back(static_cast<std::int32_t>(n));
        for (std::size_t a = 0; a < n; ++a) {
            out.regret.push_back(regret[a]);
            out.average.push_back(static_cast<double>(average[a]));
        }
        out.baseline.insert(out.baseline.end(), baseline, baseline + baselines(n));
    }

    // Calls visit(key, actions, regrets, averages, baselines) for every entry.
    template <class Visit>
    void go_through(const Entries<Real>& entries, Visit&& visit) const {
        std::size_t at = 0, base = 0;
        for (std::size_t i = 0; i < entries.keys.size(); ++i) {
            const auto n = static_cast<std::size_t>(entries.counts[i]);
            visit(entries.keys[i], n, entries.regret.data() + at, entries.average.data() + at,
                  entries.baseline.data() + base);
            at += n;
            base += baselines(n);
        }
    }

    // Throws std::invalid_argument if the lengths of the arrays contradict each other.
    void check_sizes(const Entries<Real>& entries) const {
        std::size_t total = 0, base = 0;
        for (const std::int32_t count : entries.counts) {
            if (count < 2 || count > kMostActions)
                throw std::invalid_argument("an information set has a wrong number of actions");
            total += static_cast<std::size_t>(count);
            base += baselines(static_cast<std::size_t>(count));
        }
        if (entries.epoch < 0 || entries.epoch > kMostIterations ||
            entries.keys.size() != entries.counts.size() || entries.regret.size() != total ||
            entries.average.size() != total || entries.baseline.size() != base) {
            throw std::invalid_argument("entries do not fit together");
        }
    }

    std::shared_ptr<const Game> game_;
    TableLayout layout_;
    GrowingTable table_;
    std::vector<Worker> workers_;
    std::size_t limit_ = std::numeric_limits<std::size_t>::max();
};

}  // namespace fogtree
