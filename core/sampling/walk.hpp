// One sampled walk through a game: estimates of counterfactual regrets, and of the average
// strategy.
//
// Lanctot, Waugh, Zinkevich & Bowling, "Monte Carlo sampling for regret minimization in extensive
// games" (2009): external and outcome sampling. Zinkevich et al. (2007): chance sampling. Gibson,
// Burch, Lanctot & Szafron, "Efficient Monte Carlo counterfactual regret minimization in games with
// many player actions" (2012): average-strategy sampling. Li, Hu, Zhang, Qi & Song, "Double neural
// counterfactual regret minimization" (2020): robust sampling. Schmid et al., "Variance reduction
// in Monte Carlo counterfactual regret minimization for extensive form games using baselines"
// (2019).
// Deviations: opponents' moves are drawn anew at every history; the average strategy is updated at
// the opponents' positions; baselines are kept at players' positions, not at those of chance; no
// weight is heavier than 1e18 in float or 1e150 in double, so that sums stay finite.
//
// All schemes but chance sampling share one estimator. Chance and opponents move by their own
// probabilities. Of the traverser's n actions some are tried, action a with probability rho(a):
//   u(a) = [a tried] v(a) / rho(a),   v = sum_a sigma(a) u(a),   regret(a) += (u(a) - v) / q
// where q is the product of rho along the way here. Everything has the right expectation.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include "sampling/path_walks.hpp"
#include "sampling/scheme.hpp"
#include "sampling/simulator.hpp"
#include "sampling/stop.hpp"

namespace fogtree {

// Walks of any scheme but outcome sampling. `Table::at(key, n)` points to n regrets, then n
// averages, then the scheme's own numbers; `Table::count_outside(bytes)` is called with the memory
// that the walk itself uses.
template <class Game, class Table, class Source, Scheme kScheme>
class Walk {
public:
    using Real = typename Table::Real;
    using State = typename Game::State;

    // `clip`: regrets stay at 0 or more. `weight`: of the strategies that are added to the average.
    Walk(const Game& game, Table& table, Source& source, const SchemeOptions& options, bool clip,
         Real weight)
        : game_(game),
          table_(table),
          source_(source),
          options_(options),
          floor_(clip ? Real(0) : -std::numeric_limits<Real>::infinity()),
          weight_(weight) {}

    // Runs this many walks for every player. Throws CutShort if `stop` says so.
    void run(std::int64_t iterations, const Stop& stop) {
        for (std::int64_t i = 0; i < iterations; ++i) {
            stop.check();
            for (int p = 0; p < game_.players(); ++p) run_one(p);
        }
    }

    // Runs one walk, with this player as the traverser.
    void run_one(int traverser) {
        traverser_ = traverser;
        State state = game_.root();
        if constexpr (kScheme == Scheme::chance) {
            walk_all_actions(state, Real(1), Real(1));
            for (const Noted& noted : noted_) learn_noted(noted);
            noted_.clear();
            table_.count_outside(0);
        } else {
            walk(state, {Real(1), Real(1)});
        }
    }

    // Histories that all walks so far have visited; a state may stand for several.
    std::uint64_t nodes() const { return nodes_; }

private:
    struct Reach {
        Real inverse;  // 1 / q
        Real others;   // the opponents' reach, for outcome_seed alone
    };
    // The reach with its weight 1 / q multiplied by a factor, but at most kHeaviest.
    static Reach scaled(Reach reach, Real factor) {
        return {std::min(reach.inverse * factor, kHeaviest<Real>), reach.others};
    }
    // An information set whose regrets of this traversal are kept aside, in row 2, until it ends.
    struct Noted {
        Real* entry;
        int n;
    };
    static_assert(kScheme != Scheme::outcome, "see PathWalks");
    // Whether one action of the traverser is tried.
    static constexpr bool kOne =
        kScheme == Scheme::outcome_baseline || kScheme == Scheme::outcome_seed;
    static constexpr bool kBaseline = kScheme == Scheme::outcome_baseline;

    // Walks on from a state, which is changed on the way, and returns an estimate of its value for
    // the traverser.
    Real walk(State& state, Reach reach) {
        while (true) {
            nodes_ += histories(game_, state);
            const int player = game_.player(state);
            if (player == kTerminal) return static_cast<Real>(game_.payoff(state, traverser_));
            if (player == kChance) {
                game_.sample(state, source_);
                continue;
            }
            const int n = game_.actions(state);
            if (n == 1) {
                game_.step(state, 0);
            } else if (player == traverser_) {
                return sized(n, [&]<int N>() { return own<N>(state, N < 4 ? N : n, reach); });
            } else if constexpr (kBaseline) {
                return sized(n, [&]<int N>() {
                    return other_with_baseline<N>(state, N < 4 ? N : n, reach);
                });
            } else {
                sized(n, [&]<int N>() {
                    other<N>(state, N < 4 ? N : n, reach);
                    return Real(0);
                });
            }
        }
    }

    // Calls `work<N>()`, where N, the size of arrays, is at least the number n of actions; 2 and 3
    // are exact, so that loops unroll.
    template <class Work>
    static Real sized(int n, Work&& work) {
        if (n == 2) return work.template operator()<2>();
        if (n == 3) return work.template operator()<3>();
        if (n <= 8) return work.template operator()<8>();
        if (n <= 32) return work.template operator()<32>();
        if (n > kMostActions) throw std::length_error("more than 1,024 actions");
        return work.template operator()<kMostActions>();
    }

    // Regret matching: writes the positive parts of the regrets as weights, or 1 for all if none is
    // positive, and returns their sum.
    static Real match(const Real* regret, int n, Real* weights) {
        Real total = 0;
        for (int a = 0; a < n; ++a) total += weights[a] = std::max(regret[a], Real(0));
        if (total > 0) return total;
        for (int a = 0; a < n; ++a) weights[a] = 1;
        return static_cast<Real>(n);
    }

    // Divides weights by their sum.
    static void normalise(Real* weights, int n, Real total) {
        const Real scale = 1 / total;
        for (int a = 0; a < n; ++a) weights[a] *= scale;
    }

    // A decision of another player: its current strategy, weighted, is added to its average (row 1
    // of the entry), and one action is drawn from it.
    template <int N>
    void other(State& state, int n, Reach& reach) {
        Real sigma[N];
        Real* entry = table_.at(game_.key(state), n);
        const Real total = match(entry, n, sigma);
        const Real share = weight_ * reach.inverse / total;
        for (int a = 0; a < n; ++a) entry[n + a] += share * sigma[a];
        const int chosen = source_.pick(sigma, n, total);
        if constexpr (kScheme == Scheme::outcome_seed) reach.others *= sigma[chosen] / total;
        game_.step(state, chosen);
    }

    // A decision of another player with baselines: as `other`, then walks on. Returns the expected
    // baseline of all actions plus the difference of the drawn action's value from its baseline,
    // and moves that baseline towards the value.
    template <int N>
    Real other_with_baseline(State& state, int n, Reach reach) {
        Real sigma[N];
        Real* entry = table_.at(game_.key(state), n);
        const Real total = match(entry, n, sigma);
        const int chosen = source_.pick(sigma, n, total);
        normalise(sigma, n, total);
        Real* baseline = entry + n * (2 + traverser_);
        Real expected = 0;
        for (int a = 0; a < n; ++a) {
            entry[n + a] += weight_ * reach.inverse * sigma[a];
            expected += sigma[a] * baseline[a];
        }
        game_.step(state, chosen);
        const Real value = walk(state, reach);
        const Real gap = value - baseline[chosen];
        baseline[chosen] += static_cast<Real>(options_.baseline_rate) * gap;
        return expected + gap;
    }

    // A decision of the traverser: tries actions as the scheme says and updates the regrets.
    // Returns an estimate of the value of the current strategy here.
    template <int N>
    Real own(State& state, int n, Reach reach) {
        Real sigma[N], worth[N];
        Real* entry = table_.at(game_.key(state), n);
        normalise(sigma, n, match(entry, n, sigma));
        if constexpr (kOne) {
            return try_one<N>(state, entry, n, sigma, reach);
        } else {
            if constexpr (kScheme == Scheme::external) {
                try_all(state, n, worth, reach);
            } else if constexpr (kScheme == Scheme::robust) {
                try_some<N>(state, n, worth, reach);
            } else {
                try_by_average(state, entry, n, worth, reach);
            }
            Real value = 0;
            for (int a = 0; a < n; ++a) value += sigma[a] * worth[a];
            learn(entry, n, worth, value, reach.inverse);
            return value;
        }
    }

    // Adds the regrets worth - value of all actions, times `scale`; sums below floor_ become
    // floor_.
    void learn(Real* regret, int n, const Real* worth, Real value, Real scale) {
        for (int a = 0; a < n; ++a) {
            regret[a] = std::max(regret[a] + scale * (worth[a] - value), floor_);
        }
    }

    // An estimate of the value of an action for the traverser, by a walk below it.
    Real after(const State& state, int action, Reach reach) {
        State next = state;
        game_.step(next, action);
        if (game_.player(next) == kTerminal) {  // most children of the last decision
            nodes_ += histories(game_, next);
            return static_cast<Real>(game_.payoff(next, traverser_));
        }
        return walk(next, reach);
    }

    // External sampling: tries all actions; worth[a] is the value of action a.
    void try_all(const State& state, int n, Real* worth, Reach reach) {
        for (int a = 0; a < n; ++a) worth[a] = after(state, a, reach);
    }

    // Robust sampling: tries options_.tried of the actions, all subsets equally likely. worth[a] is
    // the value divided by the probability of being tried, 1 / `factor`; 0 if it is not tried.
    template <int N>
    void try_some(const State& state, int n, Real* worth, Reach reach) {
        const int k = std::min(options_.tried, n);
        const Real factor = static_cast<Real>(n) / static_cast<Real>(k);
        int order[N];
        for (int a = 0; a < n; ++a) {
            order[a] = a;
            worth[a] = 0;
        }
        if (k < n) {
            for (int i = 0; i < k; ++i) std::swap(order[i], order[i + source_.below(n - i)]);
        }
        for (int i = 0; i < k; ++i) {
            const int a = order[i];
            worth[a] = factor * after(state, a, scaled(reach, factor));
        }
    }

    // Average-strategy sampling: tries each action with probability rho, which grows with its share
    // of the average strategy; worth[a] is the value divided by rho, 0 if it is not tried.
    void try_by_average(const State& state, const Real* entry, int n, Real* worth, Reach reach) {
        const auto beta = static_cast<Real>(options_.beta), tau = static_cast<Real>(options_.tau);
        const auto least = static_cast<Real>(options_.epsilon);
        const Real *fresh = entry + n, *before = entry + 2 * n;
        Real sum = beta;
        for (int a = 0; a < n; ++a) sum += fresh[a] + before[a];
        for (int a = 0; a < n; ++a) worth[a] = (beta + tau * (fresh[a] + before[a])) / sum;
        for (int a = 0; a < n; ++a) {
            const Real rho = std::min(std::max(worth[a], least), Real(1));
            if (rho < 1 && !source_.coin(rho)) {
                worth[a] = 0;
            } else {
                worth[a] = after(state, a, scaled(reach, 1 / rho)) / rho;
            }
        }
    }

    // Outcome sampling: tries one action, drawn with exploration, updates the regrets, and returns
    // an estimate of the value here. In outcome_baseline the baselines stand for the values of the
    // other actions.
    template <int N>
    Real try_one(State& state, Real* entry, int n, const Real* sigma, Reach reach) {
        Real rho[N];
        const auto explore = static_cast<Real>(options_.exploration);
        const Real even = explore / static_cast<Real>(n);
        for (int a = 0; a < n; ++a) rho[a] = (1 - explore) * sigma[a] + even;
        const int chosen = source_.pick(rho, n, Real(1));
        const Real factor = 1 / ((1 - explore) * sigma[chosen] + even);
        game_.step(state, chosen);
        const Real seen = walk(state, scaled(reach, factor));
        if constexpr (kScheme == Scheme::outcome_seed) {
            // Biased on purpose; docs/algorithms/mccfr-outcome-seed.md says how.
            const Real estimate = reach.others * seen * factor;
            for (int a = 0; a < n; ++a) {
                const Real gain = ((a == chosen ? Real(1) : Real(0)) - sigma[a]) * estimate;
                entry[a] = std::max(entry[a] + gain, floor_);
            }
            return seen;
        } else {
            Real worth[N];
            Real* baseline = entry + n * (2 + traverser_);
            Real value = 0;
            for (int a = 0; a < n; ++a) {
                worth[a] = baseline[a] + (a == chosen ? (seen - baseline[a]) * factor : Real(0));
                value += sigma[a] * worth[a];
            }
            baseline[chosen] +=
                static_cast<Real>(options_.baseline_rate) * (seen - baseline[chosen]);
            learn(entry, n, worth, value, reach.inverse);
            return value;
        }
    }

    // Chance sampling: walks all actions of all players below a state, which is changed on the way,
    // and returns its value for the traverser. `mine` and `others` are the reach of the traverser
    // and of everybody else. An information set may occur at several histories, so its regrets are
    // summed in a row of their own, and added to the table after the walk.
    Real walk_all_actions(State& state, Real mine, Real others) {
        while (true) {
            nodes_ += histories(game_, state);
            const int player = game_.player(state);
            if (player == kTerminal) return static_cast<Real>(game_.payoff(state, traverser_));
            if (player == kChance) {
                game_.sample(state, source_);
                continue;
            }
            const int n = game_.actions(state);
            if (n > 1) {
                const bool own = player == traverser_;
                return sized(n, [&]<int N>() {
                    return every_action<N>(state, N < 4 ? N : n, own, mine, others);
                });
            }
            game_.step(state, 0);
        }
    }

    // Chance sampling at a decision (`own`: of the traverser): tries every action and returns the
    // value for the traverser. `mine` and `others` are the reach of the traverser and of everybody
    // else.
    template <int N>
    Real every_action(State& state, int n, bool own, Real mine, Real others) {
        Real sigma[N], worth[N];
        Real* entry = table_.at(game_.key(state), n);
        normalise(sigma, n, match(entry, n, sigma));
        Real value = 0;
        for (int a = 0; a < n; ++a) {
            State next = state;
            game_.step(next, a);
            worth[a] = walk_all_actions(next, own ? mine * sigma[a] : mine,
                                        own ? others : others * sigma[a]);
            value += sigma[a] * worth[a];
        }
        if (own) {
            for (int a = 0; a < n; ++a) entry[n + a] += weight_ * mine * sigma[a];
            note(entry, n, worth, value, others);
        }
        return value;
    }

    // Adds the regrets worth - value, times `scale`, to an information set's row 2, and lists the
    // information set in noted_ when the row was 0 before.
    void note(Real* entry, int n, const Real* worth, Real value, Real scale) {
        Real* sums = entry + 2 * n;
        bool before = false, after = false;
        for (int a = 0; a < n; ++a) {
            before = before || sums[a] != 0;
            sums[a] += scale * (worth[a] - value);
            after = after || sums[a] != 0;
        }
        if (before || !after) return;
        noted_.push_back({entry, n});
        table_.count_outside(noted_.size() * sizeof(Noted));
    }

    // Adds the regrets of this walk, which are in row 2, to those of the information set, and
    // clears the row.
    void learn_noted(const Noted& noted) {
        const auto [entry, n] = noted;
        for (int a = 0; a < n; ++a) {
            entry[a] = std::max(entry[a] + entry[2 * n + a], floor_);
            entry[2 * n + a] = 0;
        }
    }

    const Game& game_;
    Table& table_;
    Source& source_;
    const SchemeOptions& options_;
    Real floor_;
    Real weight_;
    int traverser_ = 0;
    std::uint64_t nodes_ = 0;
    // A deque, because a vector that grows takes up to three times the memory that it needs.
    std::deque<Noted> noted_;
};

// The class that makes the walks of a scheme.
template <class Game, class Table, class Source, Scheme kScheme>
using Walks = std::conditional_t<kScheme == Scheme::outcome, PathWalks<Game, Table, Source>,
                                 Walk<Game, Table, Source, kScheme>>;

// Calls `work<kScheme>()` with the scheme as a compile-time constant, and returns its result.
template <class Work>
auto by_scheme(Scheme scheme, Work&& work) {
    switch (scheme) {
        case Scheme::outcome:
            return work.template operator()<Scheme::outcome>();
        case Scheme::outcome_baseline:
            return work.template operator()<Scheme::outcome_baseline>();
        case Scheme::outcome_seed:
            return work.template operator()<Scheme::outcome_seed>();
        case Scheme::robust:
            return work.template operator()<Scheme::robust>();
        case Scheme::average:
            return work.template operator()<Scheme::average>();
        case Scheme::chance:
            return work.template operator()<Scheme::chance>();
        default:
            return work.template operator()<Scheme::external>();
    }
}

// Runs `iterations` walks for every player and returns the number of histories visited. Throws
// CutShort if `stop` says so, which is checked between walks and, by some tables, at every access.
template <class Game, class Table, class Source>
std::uint64_t walk_all(const Game& game, Table& table, Source& source, const SchemeOptions& options,
                       bool clip, double weight, std::int64_t iterations, const Stop& stop) {
    return by_scheme(options.scheme, [&]<Scheme kScheme>() {
        Walks<Game, Table, Source, kScheme> walks(game, table, source, options, clip,
                                                  static_cast<typename Table::Real>(weight));
        walks.run(iterations, stop);
        return walks.nodes();
    });
}

}  // namespace fogtree
