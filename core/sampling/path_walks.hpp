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
        PathEntry<Real, Width::four>(start, n).prepare(exploration, floor);
    } else if (n <= 8) {
        PathEntry<Real, Width::eight>(start, n).prepare(exploration, floor);
    } else {
        PathEntry<Real, Width::any>(start, n).prepare(exploration, floor);
    }
}

// What a walk stands at. Positions of one kind are dealt with one after the other by the same code
// without a choice in it: the processor foresees where it goes.
enum Kind : std::uint8_t {
    kEnd,
    kDeal,
    kForced,  // one action
    kOwn,     // up to 4 actions, then up to 8, then more or unknown
    kOther = kOwn + 3,
    kKinds = kOther + 3
};

// Lanes by the kind of position that they stand at. The lengths share a register.
template <int kLanes>
class Queues {
public:
    void add(unsigned kind, std::uint8_t number) {
        const unsigned shift = kBits * kind;
        numbers_[kind * kLanes + (counts_ >> shift & kMost)] = number;
        counts_ += std::uint64_t{1} << shift;
    }
    int count(unsigned kind) const { return static_cast<int>(counts_ >> kBits * kind & kMost); }
    std::uint8_t get(unsigned kind, int i) const {
        return numbers_[kind * kLanes + static_cast<std::size_t>(i)];
    }

private:
    static constexpr unsigned kBits = 7, kMost = (1u << kBits) - 1;
    static_assert(kLanes <= kMost && kBits * kKinds <= 64);

    std::uint64_t counts_ = 0;
    std::array<std::uint8_t, kKinds * kLanes> numbers_;
};

// The kind of a position by its form, from one traverser's side.
class KindTable {
public:
    KindTable(int players, int traverser) {
        for (int player = kTerminal; player < players; ++player) {
            for (int width = 0; width < 4; ++width)
                kinds_.push_back(kind(player, width, traverser));
        }
    }
    std::uint8_t of(unsigned form) const { return kinds_[form]; }

private:
    static std::uint8_t kind(int player, int width, int traverser) {
        if (player == kTerminal) return kEnd;
        if (player == kChance) return kDeal;
        if (width == 0) return kForced;
        return static_cast<std::uint8_t>((player == traverser ? kOwn : kOther) + width - 1);
    }

    std::vector<std::uint8_t> kinds_;
};

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
        if (game.players() > kMostPlayers) throw std::invalid_argument("more than 60 players");
        for (int p = 0; p < game.players(); ++p) kinds_.emplace_back(game.players(), p);
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
    static constexpr int kGroup = 64;
    static constexpr int kMostPlayers = 60;  // a form fits in a byte

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

    // Own decisions of one round with rows of one width.
    struct Stretch {
        std::size_t end;  // in visits_
        Width width;
    };

    // All lanes go one step at a time.
    void run_group(int traverser, int size) {
        for (int i = 0; i < size; ++i) lanes_[at(i)] = {game_.root(), Real(1), Real(0)};
        std::array<std::uint8_t, kGroup> order = first_order();
        visited_ = 0;
        stretches_.clear();
        while (size > 0) {
            const Queues<kGroup> queues = sorted(kinds_[at(traverser)], order, size);
            nodes_ += static_cast<std::uint64_t>(size);
            size = 0;
            const auto each = [&](unsigned kind, auto&& visit) {
                const int count = queues.count(kind);
                for (int i = 0; i < count; ++i) {
                    visit(order[at(size++)] = queues.get(kind, i));
                }
            };
            for (int i = 0; i < queues.count(kEnd); ++i) {
                Lane& lane = lanes_[queues.get(kEnd, i)];
                lane.value = static_cast<Real>(game_.payoff(lane.state, traverser));
            }
            each(kDeal, [&](std::uint8_t number) {
                game_.sample(lanes_[number].state, source_);
                expect(lanes_[number].state);
            });
            each(kForced, [&](std::uint8_t number) { force(lanes_[number]); });
            if (visits_.size() < visited_ + kGroup) visits_.resize(2 * visited_ + 4 * kGroup);
            each(kOwn, [&](std::uint8_t number) { decide<true, Width::four>(number); });
            note_stretch(Width::four);
            each(kOwn + 1, [&](std::uint8_t number) { decide<true, Width::eight>(number); });
            note_stretch(Width::eight);
            each(kOwn + 2, [&](std::uint8_t number) { decide<true, Width::any>(number); });
            note_stretch(Width::any);
            each(kOther, [&](std::uint8_t number) { decide<false, Width::four>(number); });
            each(kOther + 1, [&](std::uint8_t number) { decide<false, Width::eight>(number); });
            each(kOther + 2, [&](std::uint8_t number) { decide<false, Width::any>(number); });
        }
        learn();
    }

    static std::size_t at(int number) { return static_cast<std::size_t>(number); }

    static std::array<std::uint8_t, kGroup> first_order() {
        std::array<std::uint8_t, kGroup> out;
        for (int i = 0; i < kGroup; ++i) out[at(i)] = static_cast<std::uint8_t>(i);
        return out;
    }

    Queues<kGroup> sorted(const KindTable& kinds, const std::array<std::uint8_t, kGroup>& order,
                          int size) const {
        Queues<kGroup> queues;
        for (int i = 0; i < size; ++i) {
            const std::uint8_t number = order[at(i)];
            const State& state = lanes_[number].state;
            if constexpr (requires { game_.form(state); }) {
                queues.add(kinds.of(game_.form(state)), number);
            } else {
                queues.add(kinds.of(form_of(game_.player(state))), number);
            }
            if constexpr (requires { table_.expect(game_.key_or_zero(state)); }) {
                table_.expect(game_.key_or_zero(state));
            }
        }
        return queues;
    }

    void note_stretch(Width width) {
        const std::size_t begin = stretches_.empty() ? 0 : stretches_.back().end;
        if (begin < visited_) stretches_.push_back({visited_, width});
    }

    void expect(const State& state) const {
        if constexpr (requires { game_.expect(state); }) game_.expect(state);
    }

    void force(Lane& lane) {
        game_.step(lane.state, 0);
        expect(lane.state);
    }

    template <bool kMine, Width kWidth>
    void decide(std::uint8_t number) {
        Lane& lane = lanes_[number];
        const int n = game_.actions(lane.state);
        if constexpr (kWidth == Width::any) {
            if (n == 1) return force(lane);
            if (n > kMostActions) throw std::length_error("more than 1,024 actions");
        }
        Real* start = table_.at(game_.key(lane.state), n);
        PathEntry<Real, kWidth> entry(start, n);
        const int chosen = entry.pick(source_, kMine);
        game_.step(lane.state, chosen);
        expect(lane.state);
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

    // From the last decisions to the first.
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

    template <Width kWidth>
    void learn(std::size_t begin, std::size_t end) {
        for (std::size_t i = end; i-- > begin;) {
            const Visit& visit = visits_[i];
            Real& value = lanes_[at(visit.lane)].value;
            const Real worth = value * visit.factor;
            value = visit.sigma * worth;
            const Real others = -visit.inverse * value, more = visit.inverse * worth;
            PathEntry<Real, kWidth>(visit.entry, visit.n)
                .learn(visit.chosen, others, more, floor_, explorations_[at(visit.n)]);
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
    std::vector<Stretch> stretches_;
    std::vector<KindTable> kinds_;  // by traverser
};

}  // namespace fogtree
