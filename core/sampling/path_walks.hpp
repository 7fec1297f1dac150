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

#include "path_entry.hpp"
#include "scheme.hpp"
#include "simulator.hpp"
#include "stop.hpp"

namespace fogtree {

// To be called when the regrets of an entry were written from outside.
template <class Real>
void prepare_path(Real* start, std::size_t actions, const SchemeOptions& options) {
    const auto n = static_cast<int>(actions);
    const Exploration<Real> exploration(static_cast<Real>(options.exploration), n);
    const Real floor = -std::numeric_limits<Real>::infinity();
    if (n <= 4) {
        PathEntry<Real, true>(start, n).prepare(exploration, floor);
    } else {
        PathEntry<Real, false>(start, n).prepare(exploration, floor);
    }
}

template <class Game, class Table, class Source>
class PathWalks {
public:
    using Real = typename Table::Real;
    using State = typename Game::State;

    PathWalks(const Game& game, Table& table, Source& source, const SchemeOptions& options,
              bool clip, Real weight)
        : game_(game),
          table_(table),
          source_(source),
          floor_(clip ? Real(0) : -std::numeric_limits<Real>::infinity()),
          weight_(weight) {
        if (game.players() > kMostPlayers) throw std::invalid_argument("more than 64 players");
        for (int n = 0; n <= kMostActions; ++n) {
            explorations_.emplace_back(static_cast<Real>(options.exploration), n);
        }
    }

    // So many walks for every player.
    void run(std::int64_t iterations, const Stop& stop) {
        for (std::int64_t done = 0; done < iterations; done += kGroup) {
            stop.check();
            const auto size = static_cast<int>(std::min<std::int64_t>(kGroup, iterations - done));
            for (int p = 0; p < game_.players(); ++p) run_group(p, size);
        }
    }

    void run_one(int traverser) { run_group(traverser, 1); }

    std::uint64_t nodes() const { return nodes_; }

private:
    static constexpr int kGroup = 32;
    static constexpr int kMostPlayers = 64;
    enum Kind : std::uint8_t { kEnd, kDeal, kOwn, kOther };

    // An own decision on the way.
    struct Visit {
        Real* entry;
        Real inverse, factor, sigma;  // 1 / q before, 1 / rho and sigma of the chosen
        std::int16_t n, chosen;
        int lane;
    };
    struct Lane {
        State state{};
        Real inverse = 1;
        Real value = 0;
    };

    // Lanes by the kind of position that they stand at. The four lengths share a register.
    class Queues {
    public:
        void add(unsigned kind, std::uint8_t number) {
            const unsigned shift = 16 * kind;
            numbers_[kind * kGroup + (counts_ >> shift & 0xffff)] = number;
            counts_ += std::uint64_t{1} << shift;
        }
        int count(unsigned kind) const { return static_cast<int>(counts_ >> 16 * kind & 0xffff); }
        std::uint8_t get(unsigned kind, int i) const { return numbers_[kind * kGroup + at(i)]; }

    private:
        std::uint64_t counts_ = 0;
        std::array<std::uint8_t, 4 * kGroup> numbers_;
    };

    // All lanes go one step at a time, those at the same kind of position one after the other: the
    // processor foresees a loop that does the same each time.
    void run_group(int traverser, int size) {
        const std::array<std::uint8_t, kMostPlayers + 2> kinds = kinds_for(traverser);
        for (int i = 0; i < size; ++i) lanes_[at(i)] = {game_.root(), Real(1), Real(0)};
        std::array<std::uint8_t, kGroup> order = first_order();
        visited_ = 0;
        while (size > 0) {
            Queues queues;
            for (int i = 0; i < size; ++i) {
                const std::uint8_t number = order[at(i)];
                const State& state = lanes_[number].state;
                const int player = game_.player(state);
                queues.add(kinds[at(player + 2)], number);
                if constexpr (requires { table_.expect(game_.key(state)); }) {
                    table_.expect(player < 0 ? 0 : game_.key(state));
                }
            }
            nodes_ += static_cast<std::uint64_t>(size);
            for (int i = 0; i < queues.count(kEnd); ++i) {
                Lane& lane = lanes_[queues.get(kEnd, i)];
                lane.value = static_cast<Real>(game_.payoff(lane.state, traverser));
            }
            size = 0;
            for (int i = 0; i < queues.count(kDeal); ++i) {
                Lane& lane = lanes_[order[at(size++)] = queues.get(kDeal, i)];
                game_.sample(lane.state, source_);
                expect(lane.state);
            }
            if (visits_.size() < visited_ + kGroup) visits_.resize(2 * visited_ + 4 * kGroup);
            for (int i = 0; i < queues.count(kOwn); ++i) {
                decide<true>(order[at(size++)] = queues.get(kOwn, i));
            }
            for (int i = 0; i < queues.count(kOther); ++i) {
                decide<false>(order[at(size++)] = queues.get(kOther, i));
            }
        }
        learn();
    }

    static std::size_t at(int number) { return static_cast<std::size_t>(number); }

    static std::array<std::uint8_t, kGroup> first_order() {
        std::array<std::uint8_t, kGroup> out;
        for (int i = 0; i < kGroup; ++i) out[at(i)] = static_cast<std::uint8_t>(i);
        return out;
    }

    // The kind of position by who moves, from kTerminal on.
    static std::array<std::uint8_t, kMostPlayers + 2> kinds_for(int traverser) {
        std::array<std::uint8_t, kMostPlayers + 2> out;
        out.fill(kOther);
        out[at(kTerminal + 2)] = kEnd;
        out[at(kChance + 2)] = kDeal;
        out[at(traverser + 2)] = kOwn;
        return out;
    }

    void expect(const State& state) const {
        if constexpr (requires { game_.expect(state); }) game_.expect(state);
    }

    template <bool kMine>
    void decide(std::uint8_t number) {
        Lane& lane = lanes_[number];
        const int n = game_.actions(lane.state);
        if (n == 1) {
            game_.step(lane.state, 0);
        } else if (n <= 4) {
            decide<kMine, true>(lane, number, n);
        } else {
            decide<kMine, false>(lane, number, n);
        }
        expect(lane.state);
    }

    template <bool kMine, bool kFew>
    void decide(Lane& lane, std::uint8_t number, int n) {
        if (n > kMostActions) throw std::length_error("more than 1,024 actions");
        Real* start = table_.at(game_.key(lane.state), n);
        PathEntry<Real, kFew> entry(start, n);
        const int chosen = entry.pick(source_, kMine);
        game_.step(lane.state, chosen);
        if constexpr (kMine) {
            const Exploration<Real>& exploration = explorations_[at(n)];
            const Real sigma = entry.probability(chosen);
            const Real factor = 1 / (exploration.keep * sigma + exploration.even);
            visits_[visited_++] = {start,
                                   lane.inverse,
                                   factor,
                                   sigma,
                                   static_cast<std::int16_t>(n),
                                   static_cast<std::int16_t>(chosen),
                                   number};
            lane.inverse = std::min(lane.inverse * factor, kHeaviest<Real>);
        } else {
            entry.add_to_average(weight_ * lane.inverse);
        }
    }

    void learn() {
        for (std::size_t i = visited_; i-- > 0;) {
            const Visit& visit = visits_[i];
            Real& value = lanes_[at(visit.lane)].value;
            const Real worth = value * visit.factor;
            value = visit.sigma * worth;
            const Real others = -visit.inverse * value, more = visit.inverse * worth;
            const Exploration<Real> exploration = explorations_[at(visit.n)];
            if (visit.n <= 4) {
                PathEntry<Real, true>(visit.entry, visit.n)
                    .learn(visit.chosen, others, more, floor_, exploration);
            } else {
                PathEntry<Real, false>(visit.entry, visit.n)
                    .learn(visit.chosen, others, more, floor_, exploration);
            }
        }
    }

    const Game& game_;
    Table& table_;
    Source& source_;
    Real floor_, weight_;
    std::uint64_t nodes_ = 0;
    std::vector<Exploration<Real>> explorations_;  // by the number of actions
    std::array<Lane, kGroup> lanes_;
    std::vector<Visit> visits_;
    std::size_t visited_ = 0;
};

}  // namespace fogtree
