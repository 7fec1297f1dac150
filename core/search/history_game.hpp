// A game that is not compiled as a game for the search: histories are made when they are needed.
//
// A source knows the rules. Histories are kept as a tree that grows with the search, each of them
// once, so that a history has one address; those that are not needed any more are freed between two
// searches.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/hash.hpp"
#include "common/random.hpp"
#include "search/tree.hpp"
#include "tree/history_source.hpp"

namespace fogtree::search {

// A history as a state of the search: a pointer to it.
struct HistoryState {
    const History* at = nullptr;
};

// The histories that exist now, as the states of a game for the search.
class HistoryGame {
public:
    using State = HistoryState;

    // Payoffs are divided by `scale`; 0: by the largest one in some random games. A payoff above
    // the scale counts as the scale.
    HistoryGame(std::unique_ptr<const HistorySource> source, double scale)
        : source_(std::move(source)), scale_(scale), root_(std::make_unique<History[]>(1)) {
        source_->begin(root_[0]);
        root_[0].key = kRootKey;
        if (!(scale >= 0) || !std::isfinite(scale)) throw std::invalid_argument("no such scale");
        if (scale_ == 0) scale_ = largest_payoff();
    }
    ~HistoryGame() { source_->free(std::move(root_)); }
    HistoryGame(const HistoryGame&) = delete;
    HistoryGame& operator=(const HistoryGame&) = delete;

    int player(State s) const { return s.at->player; }
    // Player 0's payoff at the end, divided by scale() and cut to [-1, 1].
    double payoff(State s) const { return std::clamp(s.at->payoff / scale_, -1.0, 1.0); }
    double scale() const { return scale_; }
    std::uint64_t key(State s) const { return s.at->key; }

    // What player p remembers after a step, given what it remembered `before`: its view by the
    // source, except below a position at which the opponent is assumed to know everything; from
    // there on it is a hash of what it notices.
    std::uint64_t knows(std::uint64_t before, int p, State parent, const Edge<State>& edge) const {
        const std::uint64_t above = parent.at->views[p], below = edge.child.at->views[p];
        if (before == above) return below;
        return parent.at->player == p || below != above ? combine_hashes(before, below) : before;
    }

    // Appends all children of a history to `out`.
    void expand(State s, std::vector<Edge<State>>& out) const {
        for (const History& child : children(*s.at)) {
            out.push_back({{&child},
                           static_cast<std::uint32_t>(child.action),
                           static_cast<float>(child.probability)});
        }
    }

    const History& root() const { return root_[0]; }
    const HistorySource& source() const { return *source_; }
    // The number of histories that exist now.
    std::size_t histories() const { return histories_.load(std::memory_order_relaxed); }
    // An estimate of the bytes that they take.
    std::size_t bytes() const { return histories() * (sizeof(History) + source_->bytes()); }

    // The children of a history that is not the end, made when they are first asked for.
    std::span<const History> children(const History& of) const {
        if (of.children.load(std::memory_order_acquire) == nullptr) {
            const std::scoped_lock lock(mutex_);
            if (of.children.load(std::memory_order_relaxed) == nullptr) make_children(of);
        }
        return {of.children.load(std::memory_order_acquire), static_cast<std::size_t>(of.count)};
    }

    // Frees all histories except those given, those above them, and the siblings of all these.
    void keep_only(const std::vector<const History*>& needed) {
        for (const History* h : needed) {
            for (; h != nullptr && !h->kept; h = h->parent) h->kept = true;
        }
        sweep();
    }

private:
    static constexpr std::uint64_t kRootKey = kGoldenRatio;  // also largest_payoff()'s seed
    // The most random games, and moves in them, of largest_payoff().
    static constexpr int kScaleGames = 1000;
    static constexpr std::int64_t kScaleSteps = 20000;

    // Makes the children of a history with the source, sets their parents, actions and keys, and
    // publishes them to other threads.
    void make_children(const History& of) const {
        std::int32_t count = 0;
        std::unique_ptr<History[]> made = source_->children(of, count);
        for (std::int32_t k = 0; k < count; ++k) {
            made[static_cast<std::size_t>(k)].parent = &of;
            made[static_cast<std::size_t>(k)].action = k;
            made[static_cast<std::size_t>(k)].key =
                combine_hashes(of.key, static_cast<std::uint64_t>(k) + 1);
        }
        histories_.fetch_add(static_cast<std::size_t>(count), std::memory_order_relaxed);
        of.count = count;
        of.owned = std::move(made);
        of.children.store(of.owned.get(), std::memory_order_release);
    }

    // Frees the children of every history none of whose children is marked `kept`, and clears the
    // marks.
    void sweep() {
        std::vector<const History*> open{&root()};
        while (!open.empty()) {
            const History& h = *open.back();
            open.pop_back();
            h.kept = false;
            const std::span<const History> below{h.owned.get(), static_cast<std::size_t>(h.count)};
            if (below.empty()) continue;
            if (std::any_of(below.begin(), below.end(), [](const History& c) { return c.kept; })) {
                for (const History& child : below) open.push_back(&child);
                continue;
            }
            histories_.fetch_sub(count_below(h), std::memory_order_relaxed);
            h.children.store(nullptr, std::memory_order_relaxed);
            h.count = 0;
            source_->free(std::move(h.owned));
        }
    }

    // The number of histories below `top`.
    static std::size_t count_below(const History& top) {
        std::size_t total = 0;
        std::vector<const History*> open{&top};
        while (!open.empty()) {
            const History& h = *open.back();
            open.pop_back();
            total += static_cast<std::size_t>(h.count);
            for (std::int32_t k = 0; k < h.count; ++k) open.push_back(h.owned.get() + k);
        }
        return total;
    }

    // The largest payoff, by absolute value, in some random games; 1 if it is 0.
    double largest_payoff() const {
        SplitMix64 random(kRootKey);
        double largest = 0;
        std::int64_t steps = 0;
        for (int n = 0; n < kScaleGames && steps < kScaleSteps; ++n) {
            largest = std::max(largest, std::abs(source_->playout(root(), random, steps)));
        }
        return largest > 0 ? largest : 1;
    }

    std::unique_ptr<const HistorySource> source_;
    double scale_;
    std::unique_ptr<History[]> root_;  // one
    mutable std::mutex mutex_;         // while children are made
    mutable std::atomic<std::size_t> histories_{1};
};

// An evaluator whose values are those of uniformly random play: the mean payoff of `playouts`
// random games or, with 0 playouts, the exact value, for which all histories below are made. A
// value depends only on the history.
class RandomPlayEvaluator {
public:
    static constexpr int kMostPlayouts = 10000;  // more would take seconds for a single value

    RandomPlayEvaluator(const HistoryGame& game, int playouts) : game_(game), playouts_(playouts) {
        if (playouts < 0 || playouts > kMostPlayouts) {
            throw std::invalid_argument("the number of random games for a value is from 0 to " +
                                        std::to_string(kMostPlayouts));
        }
    }

    // Player 0's value of a history, divided by the game's scale and cut to [-1, 1].
    double evaluate(HistoryState s) const {
        return std::clamp(value(*s.at) / game_.scale(), -1.0, 1.0);
    }
    // Writes player 0's values of all children of a history to `out`.
    void evaluate(HistoryState, const std::vector<Edge<HistoryState>>& edges, float* out) const {
        for (std::size_t k = 0; k < edges.size(); ++k) {
            out[k] = static_cast<float>(evaluate(edges[k].child));
        }
    }

private:
    // Player 0's value under random play, in the unit of payoffs; computed once per history.
    double value(const History& h) const {
        if (h.player == kTerminal) return h.payoff;
        double found = h.value.load(std::memory_order_relaxed);
        if (std::isnan(found)) {
            found = playouts_ > 0 ? sampled(h) : exact(h);
            h.value.store(found, std::memory_order_relaxed);
        }
        return found;
    }

    // The mean payoff of some random games, whose random numbers depend only on the history.
    double sampled(const History& h) const {
        SplitMix64 random(h.key);
        double sum = 0;
        std::int64_t steps = 0;
        for (int n = 0; n < playouts_; ++n) sum += game_.source().playout(h, random, steps);
        return sum / playouts_;
    }

    // The exact value, by listing everything below.
    double exact(const History& h) const {
        const auto below = game_.children(h);
        double sum = 0;
        for (std::size_t k = below.size(); k-- > 0;) {  // in the order of node_values() in Python
            const double share =
                h.player == kChance ? below[k].probability : 1 / static_cast<double>(below.size());
            sum += share * value(below[k]);
        }
        return sum;
    }

    const HistoryGame& game_;
    int playouts_;
};

}  // namespace fogtree::search
