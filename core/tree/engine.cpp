// The engine's iterations and evaluations; engine_slots.cpp has the arrays that go in and come out.
#include "tree/engine.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tree/index.hpp"

namespace fogtree {
namespace {

// The sum of a[i] * b[i] * c[i] over all i; the size is a multiple of kLaneAlign. Eight partial
// sums are independent of each other, so that the processor can add them at the same time.
template <class Real>
double weighted_sum(const Real* a, const Real* b, const Real* c, std::size_t size) {
    double sums[8] = {};
    for (std::size_t i = 0; i < size; i += 8) {
        for (std::size_t k = 0; k < 8; ++k) {
            sums[k] += static_cast<double>(a[i + k] * b[i + k] * c[i + k]);
        }
    }
    double total = 0;
    for (const double sum : sums) total += sum;
    return total;
}

constexpr int kPartsOfLargeGames = 16;  // also the most threads that are used

}  // namespace

// Payoffs are divided by a power of two (exact), so that the largest is between 1 and 2. Only large
// games of two players are cut into parts for threads. Each player's payoffs are stored in tiles of
// the width with the least cost, whose vectors take at most 64 bytes.
template <class Real>
Engine<Real>::Engine(std::shared_ptr<const SequenceForm> form, const Schedule& schedule,
                     int threads, const Kernels<Real>& kernels, std::size_t least_parallel)
    : form_(std::move(form)), schedule_(schedule), threads_(threads), kernels_(kernels) {
    check_threads(threads);
    std::size_t sequences = 0;
    for (const Treeplex& plex : form_->treeplexes) sequences += plex.sequences();
    double most = 0;
    for (const auto& entries : form_->payoffs) {
        for (const Entry& e : entries) most = std::max(most, std::abs(e.value));
    }
    for (const double value : form_->outcomes.values) most = std::max(most, std::abs(value));
    if (most > 0) scale_ = std::exp2(std::floor(std::log2(most)));
    const bool large = form_->players == 2 && sequences >= least_parallel;
    const int parts = large ? kPartsOfLargeGames : 1;
    threads_ = large ? std::min(threads, parts) : 1;
    sides_.resize(at(form_->players));
    for (std::size_t p = 0; p < sides_.size(); ++p) {
        make_side(p, parts);
        reaches_.push_back(&sides_[p].reach);
        measured_.push_back(&sides_[p].measured);
    }
    if (form_->players == 2) {
        for (std::size_t p = 0; p < 2; ++p) {
            Side& side = sides_[p];
            for (const int width : {4, 8, 16}) {
                if (static_cast<std::size_t>(width) * sizeof(Real) > 64) continue;
                Tiles tiles =
                    make_tiles(side.layout, sides_[1 - p].layout, form_->payoffs[p], width);
                if (width == 4 || tiles.cost < side.tiles.cost) side.tiles = std::move(tiles);
            }
            for (const double value : side.tiles.values) {
                side.payoffs.push_back(static_cast<Real>(value / scale_));
            }
            side.tiles.values = {};
        }
    }
}

// Makes the arrays of one player, with the uniform strategy and its reach.
template <class Real>
void Engine<Real>::make_side(std::size_t player, int parts) {
    Side& side = sides_[player];
    const Treeplex& plex = form_->treeplexes[player];
    side.layout = make_layout(plex, parts);
    const Layout& layout = side.layout;
    for (Array<Real>* array :
         {&side.utility, &side.strategy, &side.regret, &side.reach, &side.members}) {
        array->assign(layout.size, Real(0));
    }
    side.average.assign(layout.size, 0.0);
    side.memory.assign(layout.lanes, Real(0));
    side.value.assign(layout.lanes, Real(0));
    side.copies.assign(layout.lane_copies.begin(), layout.lane_copies.end());
    for (std::size_t s = 0; s < plex.sequences(); ++s) {
        const std::size_t where = at(layout.position[s]);
        side.members[where] = static_cast<Real>(plex.members[s]);
        if (plex.sequence_infoset[s] >= 0) {
            side.strategy[where] =
                Real(1) / static_cast<Real>(plex.infosets[at(plex.sequence_infoset[s])].actions);
        }
    }
    side.reach[0] = Real(1);
    push_trunk(side, 0.0);
    for (int part = 0; part < layout.parts; ++part) push_part(side, part, 0.0);
    side.average.assign(side.reach.begin(), side.reach.end());
}

// The bytes that the engine's arrays take.
template <class Real>
std::size_t Engine<Real>::bytes() const {
    std::size_t total = 0;
    for (const Side& side : sides_) {
        total += side.layout.size * (6 * sizeof(Real) + sizeof(double)) +
                 side.layout.lanes * 3 * sizeof(Real) +
                 side.layout.lanes * (3 * sizeof(std::int32_t) + sizeof(double)) +
                 side.layout.position.size() * sizeof(std::int32_t) +
                 side.payoffs.size() * sizeof(Real) + side.tiles.tiles.size() * sizeof(Tile) +
                 side.tiles.terms.size() * sizeof(Term);
    }
    return total;
}

// What the kernels take for the lanes (information sets, see layout.hpp) [begin, end) of a group:
// pointers into the player's arrays, at the first lane of the group.
template <class Real>
Span<Real> Engine<Real>::span(Side& side, const Group& group, std::int32_t begin,
                              std::int32_t end) const {
    return {group.actions,
            group.stride,
            begin,
            end,
            &side.utility[at(group.first)],
            &side.strategy[at(group.first)],
            &side.regret[at(group.first)],
            &side.memory[at(group.first_lane)],
            &side.value[at(group.first_lane)]};
}

// Computes the player's utilities (payoffs times the others' reach) in one part of the layout, -1
// being the trunk. `reach` has every player's array. Other than with two players the call for the
// trunk computes all of them.
template <class Real>
void Engine<Real>::product(std::size_t player, const Array<Real>* const* reach, int part) {
    Side& side = sides_[player];
    if (form_->players != 2) {
        if (part < 0) outcome_product(player, reach);
        return;
    }
    const auto function = side.tiles.width == 4   ? kernels_.product4
                          : side.tiles.width == 8 ? kernels_.product8
                                                  : kernels_.product16;
    function({side.tiles.tiles.data(), side.tiles.terms.data(), side.payoffs.data()},
             side.tiles.part_begin[at(part + 1)], side.tiles.part_begin[at(part + 2)],
             reach[1 - player]->data(), side.utility.data());
}

// Computes all utilities of the player in a game of other than two players: adds each outcome's
// payoff, times the reach of everybody else, to the player's sequence there.
template <class Real>
void Engine<Real>::outcome_product(std::size_t player, const Array<Real>* const* reach) {
    Side& side = sides_[player];
    std::fill(side.utility.begin(), side.utility.end(), Real(0));
    const Outcomes& out = form_->outcomes;
    const std::size_t width = sides_.size();
    for (std::size_t k = 0; k < out.values.size(); k += width) {
        auto value = static_cast<Real>(out.values[k + player] / scale_);
        for (std::size_t p = 0; p < width; ++p) {
            if (p == player) continue;
            value *= (*reach[p])[at(sides_[p].layout.position[at(out.sequences[k + p])])];
        }
        side.utility[at(side.layout.position[at(out.sequences[k + player])])] += value;
    }
}

// Computes the values of the lanes (information sets) [begin, end) of a group, as `sweep` says,
// from the utilities of their actions.
template <class Real>
void Engine<Real>::sweep_group(Side& side, const Group& group, std::int32_t begin, std::int32_t end,
                               Sweep sweep) {
    const Span<Real> lanes = span(side, group, begin, end);
    switch (sweep) {
        case Sweep::update:
            kernels_.update[static_cast<int>(schedule_.rule)](lanes, discount_);
            break;
        case Sweep::evaluate:
            kernels_.evaluate(lanes);
            break;
        case Sweep::maximise:
            kernels_.maximise(lanes);
            break;
    }
}

// Adds the values of the lanes [begin, end) of a group to the utilities of their parent sequences.
template <class Real>
void Engine<Real>::collect(Side& side, const Group& group, std::int32_t begin, std::int32_t end) {
    kernels_.collect(span(side, group, begin, end), &side.layout.lane_parent[at(group.first_lane)],
                     &side.copies[at(group.first_lane)], side.utility.data());
}

// Sweeps the information sets of a part from the bottom up; sweep_trunk() collects the values of
// the part's top level.
template <class Real>
void Engine<Real>::sweep_part(Side& side, int part, Sweep sweep) {
    const Layout& layout = side.layout;
    const auto trunk = at(layout.trunk_groups);
    for (std::size_t g = layout.groups.size(); g-- > trunk;) {
        const Group& group = layout.groups[g];
        const std::int32_t begin = group.part_begin[at(part)], end = group.part_begin[at(part) + 1];
        sweep_group(side, group, begin, end, sweep);
        // Parents of the part's top level are in the trunk, and several parts may share one.
        if (group.level > layout.groups[trunk].level) collect(side, group, begin, end);
    }
}

// After all parts were swept: collects the values of their top level, then sweeps the information
// sets of the trunk from the bottom up.
template <class Real>
void Engine<Real>::sweep_trunk(Side& side, Sweep sweep) {
    const Layout& layout = side.layout;
    const auto trunk = at(layout.trunk_groups);
    for (std::size_t g = trunk; g < layout.groups.size(); ++g) {
        const Group& group = layout.groups[g];
        if (group.level == layout.groups[trunk].level) collect(side, group, 0, group.stride);
    }
    for (std::size_t g = trunk; g-- > 0;) {
        const Group& group = layout.groups[g];
        sweep_group(side, group, 0, group.stride, sweep);
        collect(side, group, 0, group.stride);
    }
}

// For the trunk's sequences, from the top down: moves the average towards the reach of the strategy
// that was played so far, by `share` of the difference, then computes the reach of the new
// strategy.
template <class Real>
void Engine<Real>::push_trunk(Side& side, double share) {
    for (std::size_t g = 0; g < at(side.layout.trunk_groups); ++g) {
        const Group& group = side.layout.groups[g];
        kernels_.push(
            span(side, group, 0, group.stride), &side.layout.lane_parent[at(group.first_lane)],
            share, &side.reach[at(group.first)], &side.average[at(group.first)], side.reach.data());
    }
}

// Does for the sequences of a part what push_trunk() does for the trunk, which must come before.
template <class Real>
void Engine<Real>::push_part(Side& side, int part, double share) {
    for (std::size_t g = at(side.layout.trunk_groups); g < side.layout.groups.size(); ++g) {
        const Group& group = side.layout.groups[g];
        kernels_.push(span(side, group, group.part_begin[at(part)], group.part_begin[at(part) + 1]),
                      &side.layout.lane_parent[at(group.first_lane)], share,
                      &side.reach[at(group.first)], &side.average[at(group.first)],
                      side.reach.data());
    }
}

// Counts a new iteration, and sets its discount and its share in the average.
template <class Real>
void Engine<Real>::start_iteration() {
    const auto t = static_cast<double>(++iteration_);
    discount_ = {static_cast<Real>(discount_factor(t, schedule_.positive_exponent)),
                 static_cast<Real>(discount_factor(t, schedule_.negative_exponent))};
    const double fresh = averaging_weight(t, schedule_.delay, schedule_.averaging_exponent);
    weight_ += fresh;
    share_ = fresh > 0 ? fresh / weight_ : 0.0;
}

// The work of one thread on the way up: computes utilities and updates regrets and strategies in
// its share of the player's parts; worker 0 also computes the utilities of the trunk.
template <class Real>
void Engine<Real>::ascend(std::size_t player, ThreadTeam& team, int worker) {
    const Array<Real>* const* reach = reaches_.data();
    if (worker == 0) product(player, reach, -1);
    const int parts = sides_[player].layout.parts;
    for (int part = parts * worker / team.size(); part < parts * (worker + 1) / team.size();
         ++part) {
        product(player, reach, part);
        sweep_part(sides_[player], part, Sweep::update);
    }
}

// The work of one thread on the way down: turns strategies into reach and updates the average in
// its share of the player's parts.
template <class Real>
void Engine<Real>::descend(std::size_t player, ThreadTeam& team, int worker) {
    const int parts = sides_[player].layout.parts;
    for (int part = parts * worker / team.size(); part < parts * (worker + 1) / team.size();
         ++part) {
        push_part(sides_[player], part, share_);
    }
}

// Runs some iterations, in which players are updated in turn or all at once.
template <class Real>
void Engine<Real>::run(std::int64_t iterations) {
    if (iterations < 0) throw std::invalid_argument("iterations must not be negative");
    ThreadTeam team(threads_);
    const std::size_t players = sides_.size();
    const std::size_t step = schedule_.alternating ? 1 : players;
    team.run([&](int worker) {
        for (std::int64_t k = 0; k < iterations; ++k) {
            if (worker == 0) start_iteration();
            team.barrier();
            for (std::size_t first = 0; first < players; first += step) {
                for (std::size_t p = first; p < first + step; ++p) ascend(p, team, worker);
                team.barrier();
                if (worker == 0) {
                    for (std::size_t p = first; p < first + step; ++p) {
                        sweep_trunk(sides_[p], Sweep::update);
                        push_trunk(sides_[p], share_);
                    }
                }
                team.barrier();
                for (std::size_t p = first; p < first + step; ++p) descend(p, team, worker);
                team.barrier();
            }
        }
    });
}

// Computes the player's utilities against the others' `reach`, then sweeps all of its information
// sets from the bottom up, on the calling thread.
template <class Real>
void Engine<Real>::climb(std::size_t player, const Array<Real>* const* reach, Sweep sweep) {
    Side& side = sides_[player];
    for (int part = -1; part < side.layout.parts; ++part) product(player, reach, part);
    for (int part = 0; part < side.layout.parts; ++part) sweep_part(side, part, sweep);
    sweep_trunk(side, sweep);
}

// The reach, one array per player, of the profile that is the answer so far: the last iterate or,
// in the precision of Real, the average.
template <class Real>
const Array<Real>* const* Engine<Real>::answer() {
    if (schedule_.last) return reaches_.data();
    for (Side& side : sides_) side.measured.assign(side.average.begin(), side.average.end());
    return measured_.data();
}

// For the profile that is the answer so far: every player's value, and the value of its best
// response to the others, in the unit of payoffs.
template <class Real>
Evaluation Engine<Real>::evaluate() {
    const Array<Real>* const* reach = answer();
    Evaluation out;
    for (std::size_t p = 0; p < sides_.size(); ++p) {
        Side& side = sides_[p];
        for (int part = -1; part < side.layout.parts; ++part) product(p, reach, part);
        out.values.push_back(scale_ * weighted_sum(side.members.data(), reach[p]->data(),
                                                   side.utility.data(), side.layout.size));
        for (int part = 0; part < side.layout.parts; ++part)
            sweep_part(side, part, Sweep::maximise);
        sweep_trunk(side, Sweep::maximise);
        out.best_responses.push_back(root_value(side));
    }
    return out;
}

template class Engine<float>;
template class Engine<double>;

}  // namespace fogtree
