#include "sampling/growing_trainer.hpp"

#include "common/thread_team.hpp"

namespace fogtree {

GrowingTrainer::GrowingTrainer(const SamplingPlan& plan, int players)
    : Trainer<double>(plan),
      layout_(plan.scheme.scheme, players),
      workers_(static_cast<std::size_t>(plan.workers)) {
    if (players < 2) throw std::invalid_argument("sampling needs two players or more");
}

// Trains for some epochs, with one thread per worker; returns the number of epochs done. After
// each, the rows of all workers' tables are added to the shared table; an epoch that is stopped
// is dropped.
std::int64_t GrowingTrainer::run(std::int64_t epochs, const Stop& stop) {
    for (std::int64_t done = 0; done < epochs; ++done) {
        share_memory();
        try {
            run_on_threads(plan_.workers, [&](int worker) { work(worker, stop); });
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
            nodes_ += worker.nodes;
        }
        discount(++epoch_);
    }
    return epochs;
}

// Runs one worker's part of the next epoch and returns its changes, without adding them to the
// shared table (see `merge`). For workers in other processes.
Entries<double> GrowingTrainer::sample(int number) {
    const Worker& worker = workers_.at(static_cast<std::size_t>(number));
    share_memory();
    work(number, kNeverStop);
    Entries<Real> out;
    out.epoch = epoch_ + 1;
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
void GrowingTrainer::merge(const std::vector<Entries<Real>>& changes) {
    check(changes);
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
        nodes_ += change.nodes;
    }
    discount(++epoch_);
}

// The shared table as arrays, from which restore() can continue.
Entries<double> GrowingTrainer::contents() const {
    Entries<Real> out;
    out.epoch = epoch_;
    out.nodes = nodes_;
    reserve(out, table_);
    table_.each([&](const Record& record) {
        const Real* values = shared_reals(record);
        append(out, record, values, averages(record), values + record.actions);
    });
    return out;
}

// Replaces the shared table by what contents() returned.
void GrowingTrainer::restore(const Entries<Real>& contents) {
    check_sizes(contents);
    table_.clear();
    go_through(contents, [&](std::uint64_t key, std::size_t n, const Real* regret,
                             const double* average, const Real* baseline) {
        const auto [record, made] = table_.find_or_add(key, static_cast<int>(n), shared_units(n));
        if (!made) throw std::invalid_argument("a key comes twice");
        std::copy_n(average, n, averages(*record));
        std::copy_n(regret, n, shared_reals(*record));
        std::copy_n(baseline, baselines(n), shared_reals(*record) + n);
    });
    epoch_ = contents.epoch;
    nodes_ = contents.nodes;
}

// The bytes of the shared table and of the workers' tables.
std::size_t GrowingTrainer::bytes() const {
    std::size_t sum = table_.bytes();
    for (const Worker& worker : workers_) sum += worker.table.bytes();
    return sum;
}

// Bounds the bytes of all tables; throws OutOfMemory if they are larger already.
void GrowingTrainer::limit(std::size_t bytes) {
    limit_ = bytes;
    if (this->bytes() > bytes) throw OutOfMemory();
}

// Copies an information set's regrets and, as the scheme needs them, baselines or averages from
// the shared table to a worker's new record. Throws KeyCollision if their numbers of actions
// differ.
void GrowingTrainer::copy_shared(Record& own) const {
    const Record* shared = table_.find(own.key);
    if (shared == nullptr) return;
    const std::size_t n = own.actions;
    if (shared->actions != own.actions) throw KeyCollision();
    const Real* from = shared_reals(*shared);
    Real* to = reals(own);
    std::copy_n(from, n, to);
    std::copy_n(from + n, baselines(n), to + 2 * n);
    if (plan_.scheme.scheme == Scheme::average) {
        for (std::size_t a = 0; a < n; ++a) {
            to[2 * n + a] = static_cast<Real>(averages(*shared)[a]);
        }
    }
}

// Makes one worker's batch of walks. Afterwards the worker's table has the changes of regrets
// and baselines, and what is to be added to averages.
void GrowingTrainer::work(int number, const Stop& stop) {
    Worker& worker = workers_[static_cast<std::size_t>(number)];
    const std::int64_t epoch = epoch_ + 1;
    worker.table.clear();
    View view{*this, worker.table, stop};
    CounterRandom random = this->random(epoch, number);
    worker.nodes = walk(view, random, plan_.weight(epoch), stop);
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
void GrowingTrainer::share_memory() {
    const std::size_t taken = table_.bytes();
    const std::size_t left = limit_ > taken ? limit_ - taken : 0;
    for (Worker& worker : workers_) worker.table.limit(left / 2 / workers_.size());
}

// Throws OutOfMemory unless the records that the shared table does not have yet fit into the
// memory. `visit(count)` calls count(key, actions) for every record that is to be added.
template <class Visit>
void GrowingTrainer::reserve(Visit&& visit) const {
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
void GrowingTrainer::add(std::uint64_t key, std::size_t n, const Real* regret,
                         const Average* average, const Real* baseline) {
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
void GrowingTrainer::discount(std::int64_t epoch) {
    const SamplingPlan& plan = plan_;
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
void GrowingTrainer::reserve(Entries<Real>& out, const GrowingTable& table) const {
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
void GrowingTrainer::append(Entries<Real>& out, const Record& record, const Real* regret,
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
void GrowingTrainer::go_through(const Entries<Real>& entries, Visit&& visit) const {
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
void GrowingTrainer::check_sizes(const Entries<Real>& entries) const {
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

}  // namespace fogtree
