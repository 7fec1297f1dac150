// Training by many workers; the result depends on the seed and the number of workers alone.
//
// Training proceeds in *epochs*. In an epoch every worker starts from the same table, makes `batch`
// walks per player that change its own copy, and returns the changes. The table gets the mean of
// the workers' changes of regrets (their sum would overshoot, because all workers move in the same
// direction) and the sum of their changes of the average strategy, in the order of the workers. A
// worker's random numbers depend on the seed, the epoch and its index alone, so that a lost batch
// can be computed again with the same result.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "common/in_use.hpp"
#include "common/random.hpp"
#include "common/thread_team.hpp"
#include "common/weighting.hpp"
#include "sampling/scheme.hpp"
#include "sampling/stop.hpp"

namespace fogtree {

// Everything that determines a training run, besides the game.
struct SamplingPlan {
    SchemeOptions scheme;
    // After epoch t regrets are multiplied by t^a / (t^a + 1), by sign; +inf: 1, -inf: 0.
    double positive_exponent = std::numeric_limits<double>::infinity();
    double negative_exponent = std::numeric_limits<double>::infinity();
    double averaging_exponent = 0;  // k: epoch t has the weight (t - delay)^k in the average
    double delay = 0;               // in epochs
    std::int64_t batch = 1000;      // walks per worker, player and epoch
    int workers = 1;
    std::uint64_t seed = 0;

    // Whether regrets stay at 0 or more (CFR+): negative ones are multiplied by 0.
    bool clip() const { return std::isinf(negative_exponent) && negative_exponent < 0; }
    // The weight of an epoch in the average strategy.
    double weight(std::int64_t epoch) const {
        return averaging_weight(static_cast<double>(epoch), delay, averaging_exponent);
    }
    // Whether regrets are multiplied by something other than 1 after an epoch.
    bool discounts() const {
        return clip() || std::isfinite(positive_exponent) || std::isfinite(negative_exponent);
    }
    // Throws std::invalid_argument for numbers out of range.
    void check() const {
        if (batch < 1) throw std::invalid_argument("a batch must have at least one walk");
        check_threads(workers);
        scheme.check();
        check_weighting(positive_exponent, negative_exponent, averaging_exponent, delay);
    }
};

// A trainer's table, or a worker's changes of it in one epoch, as arrays: for every key the numbers
// of its actions. Trainers of compiled trees have no keys, and numbers for every slot instead.
template <class Real>
struct Entries {
    std::int64_t epoch = 0;   // the epoch it belongs to
    std::uint64_t nodes = 0;  // visited
    std::vector<std::uint64_t> keys;
    std::vector<std::int32_t> counts;  // actions per key
    std::vector<Real> regret;
    std::vector<double> average;
    std::vector<Real> baseline;  // per key: the actions' for player 0, then for player 1, ...
};

// The table is full. Nothing of the epoch has been added.
class OutOfMemory : public std::runtime_error {
public:
    OutOfMemory() : std::runtime_error("the information sets do not fit in the memory allowed") {}
};

// Two histories with the same key have different numbers of actions: either the game gives its
// player different actions at one information set, or two hashes are equal by chance.
class KeyCollision : public std::runtime_error {
public:
    KeyCollision() : std::runtime_error("two information sets have the same key") {}
};

// A native simulator of another package is not as its header says.
class SimulatorError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// The interface of trainers, which learn a strategy by sampling.
template <class Real>
class Trainer {
public:
    explicit Trainer(const SamplingPlan& plan) : plan_(plan) { plan.check(); }
    virtual ~Trainer() = default;

    // Trains with a thread per worker and returns the number of epochs done. A stop request drops
    // the current epoch. Throws OutOfMemory after the last whole epoch.
    virtual std::int64_t run(std::int64_t epochs, const Stop& stop = kNeverStop) = 0;

    // An epoch of run() in two steps, for workers in other processes: `sample` returns one worker's
    // changes in the next epoch, `merge` adds the changes of all workers, in their order.
    virtual Entries<Real> sample(int worker) = 0;
    virtual void merge(const std::vector<Entries<Real>>& changes) = 0;

    // The whole table; restore() of a trainer with the same plan and game continues from it.
    virtual Entries<Real> contents() const = 0;
    virtual void restore(const Entries<Real>& contents) = 0;

    virtual std::size_t infosets() const = 0;  // seen so far
    virtual std::size_t bytes() const = 0;     // that all tables take
    // Bounds the bytes from now on. Throws OutOfMemory if there are more already.
    virtual void limit(std::size_t bytes) = 0;

    std::int64_t epoch() const { return epoch_; }   // the number of epochs done
    std::uint64_t nodes() const { return nodes_; }  // histories visited in them
    const SamplingPlan& plan() const { return plan_; }
    InUse& in_use() const { return in_use_; }  // refuses a second user at a time

protected:
    // The random numbers of one worker in one epoch.
    CounterRandom random(std::int64_t epoch, int worker) const {
        return {plan_.seed, static_cast<std::uint64_t>(epoch), static_cast<std::uint64_t>(worker)};
    }
    // Throws unless there is one set of changes per worker, all of the next epoch.
    void check(const std::vector<Entries<Real>>& changes) const {
        if (changes.size() != static_cast<std::size_t>(plan_.workers)) {
            throw std::invalid_argument("an epoch ends with one change per worker");
        }
        for (const auto& change : changes) {
            if (change.epoch != epoch_ + 1)
                throw std::invalid_argument("a change of another epoch");
        }
    }

    SamplingPlan plan_;
    std::int64_t epoch_ = 0;
    std::uint64_t nodes_ = 0;

private:
    mutable InUse in_use_{"the trainer"};
};

}  // namespace fogtree
