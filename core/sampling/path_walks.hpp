// Outcome sampling: walks along one path each, a group of them side by side.
//
// Lanctot, Waugh, Zinkevich & Bowling, "Monte Carlo sampling for regret minimization in extensive
// games" (2009):
//   u(a) = [a taken] v / rho(a),   v = sum_a sigma(a) u(a),   regret(a) += (u(a) - v) / q
// with rho = (1 - epsilon) sigma + epsilon / n, and q the product of rho along the way here.
// Deviations: the walks of a group are for one player and learn when all of them have ended, so
// that one does not wait for the memory of another; the average strategy is updated at the
// opponents' positions, divided by q; no weight is heavier than 1e18 in float or 1e150 in double,
// so that sums stay finite.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "common/cpu_features.hpp"
#include "sampling/path_entry.hpp"
#include "sampling/queues.hpp"
#include "sampling/scheme.hpp"
#include "sampling/simulator.hpp"
#include "sampling/stop.hpp"

namespace fogtree {

inline constexpr int kGroup = 64;  // the most walks of a group

// Walks of outcome sampling, many of them advanced side by side.
template <class Game, class Table, class Source>
class PathWalks {
public:
    using Real = typename Table::Real;
    using State = typename Game::State;

    // `clip`: regrets stay at 0 or more. `weight`: of the strategies that are added to the average.
    // Exploring draws by keep_ * strategy + evens_[n], n the number of actions.
    PathWalks(const Game& game, Table& table, Source& source, const SchemeOptions& options,
              bool clip, Real weight)
        : game_(game),
          table_(table),
          source_(source),
          floor_(clip ? Real(0) : -std::numeric_limits<Real>::infinity()),
          weight_(weight),
          keep_(static_cast<Real>(1 - options.exploration)) {
        if (game.players() > kMostPlayers) throw std::invalid_argument("more than 60 players");
        for (int p = 0; p < game.players(); ++p) kinds_.emplace_back(game.players(), p);
        for (int n = 0; n <= kMostActions; ++n) {
            evens_.push_back(static_cast<Real>(options.exploration / std::max(n, 1)));
        }
    }

    // Runs `iterations` walks for every player. Throws CutShort between groups if `stop` says so.
    void run(std::int64_t iterations, const Stop& stop) {
        for (std::int64_t done = 0; done < iterations; done += kGroup) {
            stop.check();
            const auto size = static_cast<int>(std::min<std::int64_t>(kGroup, iterations - done));
            for (int p = 0; p < game_.players(); ++p) run_fast(p, size);
        }
    }

    // Runs `size` walks, at most kGroup, for one player: all take a step in each round; when all
    // have ended, the regrets are updated.
    void run_group(int traverser, int size) {
        const std::uint8_t* kinds = kinds_[at(traverser)].by_form();
        std::array<std::uint8_t, kGroup> order;
        for (int i = 0; i < size; ++i) {
            lanes_[at(i)] = {game_.root(), Real(1), Real(0)};
            order[at(i)] = static_cast<std::uint8_t>(i);
        }
        visited_ = 0;
        stretches_.clear();
        int walking = size;
        for (std::size_t round = 0; walking > 0; ++round) {
            const Queues<kGroup> queues = sorted(round, kinds, order, walking);
            walking = 0;
            const auto each = [&](unsigned kind, auto&& visit) {
                const int count = queues.count(kind);
                for (int i = 0; i < count; ++i) {
                    const std::uint8_t number = queues.get(kind, i);
                    visit(number);
                    order[at(walking++)] = number;
                }
            };
            each(kPass, [&](std::uint8_t number) { pass(lanes_[number].state); });
            if (visits_.size() < visited_ + kGroup) visits_.resize(2 * visited_ + 4 * kGroup);
            each(kOwn, [&](std::uint8_t number) { decide<true, Width::four>(number); });
            weigh<Width::four>();
            each(kOwn + 1, [&](std::uint8_t number) { decide<true, Width::eight>(number); });
            weigh<Width::eight>();
            each(kOwn + 2, [&](std::uint8_t number) { decide<true, Width::any>(number); });
            weigh<Width::any>();
            each(kOther, [&](std::uint8_t number) { decide<false, Width::four>(number); });
            each(kOther + 1, [&](std::uint8_t number) { decide<false, Width::eight>(number); });
            each(kOther + 2, [&](std::uint8_t number) { decide<false, Width::any>(number); });
        }
        for (int i = 0; i < size; ++i) {
            Lane& lane = lanes_[at(i)];
            lane.value = static_cast<Real>(game_.payoff(lane.state, traverser));
        }
        learn();
    }

    std::uint64_t nodes() const { return nodes_; }  // histories visited by all walks so far

private:
    // A decision of the traverser on a walk, to be learnt from when the walk has ended.
    struct Visit {
        Real* entry;
        Real inverse, factor, ratio;  // 1 / q before, 1 / rho and sigma / rho of the chosen
        std::int16_t n, chosen;
        int lane;
    };
    // One walk of a group.
    struct Lane {
        State state{};
        Real inverse = 1;  // 1 / q so far
        Real value = 0;    // the estimate of the traverser's value, while learn() goes back up
    };

    // The traverser's decisions of one round whose rows have the same width, as a part of visits_.
    struct Stretch {
        std::size_t end;  // in visits_; it begins where the stretch before ends
        Width width;
    };

    // run_fast() is run_group(), on processors with AVX2 as it is compiled for them (run_wide); the
    // results are equal.
#if defined(__x86_64__) && !defined(FOGTREE_PLAIN_WALKS)
    void run_fast(int traverser, int size) {
        if (wide_) {
            run_wide(traverser, size);
        } else {
            run_group(traverser, size);
        }
    }
    [[gnu::target("avx2,bmi,bmi2"), gnu::flatten]] void run_wide(int traverser, int size) {
        run_group(traverser, size);
    }
    const bool wide_ = CpuFeatures::here().avx2 && CpuFeatures::here().bmi2;
#else
    void run_fast(int traverser, int size) { run_group(traverser, size); }
#endif

    static std::size_t at(int number) { return static_cast<std::size_t>(number); }

    // The walks of one round (`order` has their `walking` numbers), sorted into queues by the kind
    // of node they are at (chance, own decision, ...), so that each kind is processed by one loop.
    // In the first levels of a tree, whose nodes are all alike, all walks go into one queue.
    Queues<kGroup> sorted(std::size_t round, const std::uint8_t* kinds,
                          const std::array<std::uint8_t, kGroup>& order, int walking) {
        Queues<kGroup> queues;
        if constexpr (requires { game_.levels(); }) {
            if (round < game_.levels().size()) {
                const auto& level = game_.levels()[round];
                nodes_ += static_cast<std::uint64_t>(walking) * level.histories;
                queues.add_all(kinds[level.form], order, walking);
                return queues;
            }
        }
        for (int i = 0; i < walking; ++i) {
            const std::uint8_t number = order[at(i)];
            const State& state = lanes_[number].state;
            nodes_ += histories(game_, state);
            if constexpr (requires { game_.form(state); }) {
                queues.add(kinds[game_.form(state)], number);
            } else {
                queues.add(kinds[form_of(game_.player(state))], number);
            }
            if constexpr (requires { table_.expect(game_.key(state)); }) {
                table_.expect(game_.key(state));
            }
        }
        return queues;
    }

    // Prefetches a state, if the game can do that.
    void expect(const State& state) const {
        if constexpr (requires { game_.expect(state); }) game_.expect(state);
    }

    // Passes a node at which nothing is learnt: a chance node, or one with a single action.
    void pass(State& state) {
        if (game_.player(state) == kChance) {
            game_.sample(state, source_);
        } else {
            game_.step(state, 0);
        }
        expect(state);
    }

    // Computes the weights of the traverser's decisions that were made since the last call, which
    // have one width. A loop of its own, so that the walks need not wait for it.
    template <Width kWidth>
    void weigh() {
        const std::size_t begin = stretches_.empty() ? 0 : stretches_.back().end;
        if (begin == visited_) return;
        stretches_.push_back({visited_, kWidth});
        for (std::size_t i = begin; i < visited_; ++i) {
            Visit& visit = visits_[i];
            Real& inverse = lanes_[at(visit.lane)].inverse;
            const Real sigma =
                PathEntry<Real, kWidth>(visit.entry, visit.n).probability(visit.chosen);
            visit.inverse = inverse;
            visit.factor = 1 / (keep_ * sigma + evens_[at(visit.n)]);
            visit.ratio = sigma * visit.factor;
            inverse = std::min(inverse * visit.factor, kHeaviest<Real>);
        }
    }

    // One decision of a walk. At the traverser's own (kMine) an action is drawn with exploration
    // and the visit is noted, to be learnt from at the end; at others' the average is updated as
    // well.
    template <bool kMine, Width kWidth>
    void decide(std::uint8_t number) {
        Lane& lane = lanes_[number];
        const int n = game_.actions(lane.state);
        if constexpr (kWidth == Width::any) {
            if (n == 1) return game_.step(lane.state, 0);
            if (n > kMostActions) throw std::length_error("more than 1,024 actions");
        }
        Real* start = table_.at(game_.key(lane.state), n);
        PathEntry<Real, kWidth> entry(start, n);
        if constexpr (kMine) {
            const int chosen = entry.explore(source_, keep_, evens_[at(n)]);
            game_.step(lane.state, chosen);
            expect(lane.state);
            Visit& visit = visits_[visited_++];
            visit.entry = start;
            visit.n = static_cast<std::int16_t>(n);
            visit.chosen = static_cast<std::int16_t>(chosen);
            visit.lane = number;
        } else {
            const int chosen = entry.pick(source_);
            game_.step(lane.state, chosen);
            expect(lane.state);
            entry.add_to_average(weight_ * lane.inverse);
        }
    }

    // Updates the regrets at the traverser's decisions of all walks, the last ones first, so that
    // each walk's value goes up from its end.
    void learn() {
        for (std::size_t s = stretches_.size(); s-- > 0;) {
            const std::size_t begin = s == 0 ? 0 : stretches_[s - 1].end, end = stretches_[s].end;
            switch (stretches_[s].width) {
                case Width::four:
                    learn<Width::four>(begin, end);
                    break;
                case Width::eight:
                    learn<Width::eight>(begin, end);
                    break;
                default:
                    learn<Width::any>(begin, end);
            }
        }
    }

    // Updates the regrets at the visits [begin, end), whose entries have one width.
    template <Width kWidth>
    void learn(std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const Visit& visit = visits_[i];
            Real& value = lanes_[at(visit.lane)].value;
            const Real scaled = value * visit.inverse;
            value *= visit.ratio;
            PathEntry<Real, kWidth>(visit.entry, visit.n)
                .learn(visit.chosen, -scaled * visit.ratio, scaled * visit.factor, floor_);
        }
        // A separate loop as well. An entry may occur more than once, and does not change any more.
        for (std::size_t i = begin; i < end; ++i) {
            PathEntry<Real, kWidth>(visits_[i].entry, visits_[i].n).match();
        }
    }

    const Game& game_;
    Table& table_;
    Source& source_;
    Real floor_, weight_, keep_;
    std::uint64_t nodes_ = 0;
    std::vector<Real> evens_;  // epsilon / n, by n
    std::array<Lane, kGroup> lanes_;
    std::vector<Visit> visits_;
    std::size_t visited_ = 0;
    std::vector<Stretch> stretches_;
    std::vector<KindTable> kinds_;  // by traverser
};

}  // namespace fogtree
