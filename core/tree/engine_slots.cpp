// Reading and writing an engine's numbers as arrays over the game's slots, and its saved state.
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "tree/engine.hpp"
#include "tree/index.hpp"

namespace fogtree {

// Calls visit(owner, first slot, actions, position of the first action, distance between the
// positions of two actions, number) for every information set of the game, in order. A forced one
// has a single action and the position -1.
template <class Real>
template <class Visit>
void Engine<Real>::each_infoset(Visit&& visit) const {
    std::size_t slot = 0;
    for (std::size_t i = 0; i < form_->place.size(); ++i) {
        const auto owner = at(form_->owner[i]);
        if (form_->place[i] < 0) {
            visit(owner, slot, std::size_t{1}, std::int64_t{-1}, std::int64_t{0}, i);
            slot += 1;
            continue;
        }
        const auto& set = form_->treeplexes[owner].infosets[at(form_->place[i])];
        const auto& position = sides_[owner].layout.position;
        const std::int64_t first = position[at(set.first_sequence)];
        const std::int64_t stride = position[at(set.first_sequence) + 1] - first;
        visit(owner, slot, at(set.actions), first, stride, i);
        slot += at(set.actions);
    }
}

// The number of slots of the game.
template <class Real>
std::size_t Engine<Real>::slots() const {
    std::size_t end = 0;
    each_infoset([&](std::size_t, std::size_t slot, std::size_t actions, std::int64_t, std::int64_t,
                     std::size_t) { end = slot + actions; });
    return end;
}

// The average or the current strategy: a probability per slot. Numbers of an information set are
// divided by their sum; they are uniform if it is 0. A forced action has probability 1.
template <class Real>
std::vector<double> Engine<Real>::strategy(bool average) const {
    std::vector<double> out;
    each_infoset([&](std::size_t owner, std::size_t, std::size_t actions, std::int64_t first,
                     std::int64_t stride, std::size_t) {
        if (first < 0) {
            out.push_back(1.0);
            return;
        }
        const Side& side = sides_[owner];
        double sum = 0;
        for (std::size_t a = 0; a < actions; ++a) {
            const auto where = at(first + static_cast<std::int64_t>(a) * stride);
            out.push_back(average ? side.average[where]
                                  : static_cast<double>(side.strategy[where]));
            sum += out.back();
        }
        for (std::size_t a = 0; a < actions; ++a) {
            double& share = out[out.size() - actions + a];
            share = sum > 0 ? share / sum : 1.0 / static_cast<double>(actions);
        }
    });
    return out;
}

// Replaces the current strategy, given by slot, and computes its reach.
template <class Real>
void Engine<Real>::set_strategy(const double* slots) {
    const std::size_t count = this->slots();
    if (!std::all_of(slots, slots + count, [](double share) { return std::isfinite(share); })) {
        throw std::invalid_argument("a strategy has a number that is not finite");
    }
    each_infoset([&](std::size_t owner, std::size_t slot, std::size_t actions, std::int64_t first,
                     std::int64_t stride, std::size_t) {
        if (first < 0) return;
        for (std::size_t a = 0; a < actions; ++a) {
            sides_[owner].strategy[at(first + static_cast<std::int64_t>(a) * stride)] =
                static_cast<Real>(slots[slot + a]);
        }
    });
    for (Side& side : sides_) {
        push_trunk(side, 0.0);
        for (int part = 0; part < side.layout.parts; ++part) push_part(side, part, 0.0);
    }
}

// The player's counterfactual utility of every action under the current strategies, per slot; 0 at
// other players' slots and at forced actions.
template <class Real>
std::vector<double> Engine<Real>::utilities(int player) {
    if (player < 0 || at(player) >= sides_.size()) throw std::invalid_argument("no such player");
    const Array<Real>* const* reach = reaches_.data();
    climb(at(player), reach, Sweep::evaluate);
    std::vector<double> out;
    each_infoset([&](std::size_t owner, std::size_t, std::size_t actions, std::int64_t first,
                     std::int64_t stride, std::size_t) {
        for (std::size_t a = 0; a < actions; ++a) {
            const bool mine = first >= 0 && owner == at(player);
            out.push_back(mine ? scale_ * static_cast<double>(sides_[owner].utility[at(
                                              first + static_cast<std::int64_t>(a) * stride)])
                               : 0.0);
        }
    });
    return out;
}

// The current strategies, a probability per slot, with the player's replaced by a best response to
// the others; `value` becomes the best response's value.
template <class Real>
std::vector<double> Engine<Real>::best_response(int player, double& value) {
    if (player < 0 || at(player) >= sides_.size()) throw std::invalid_argument("no such player");
    const Array<Real>* const* reach = reaches_.data();
    climb(at(player), reach, Sweep::maximise);
    value = root_value(sides_[at(player)]);
    std::vector<double> out = strategy(false);
    each_infoset([&](std::size_t owner, std::size_t slot, std::size_t actions, std::int64_t first,
                     std::int64_t stride, std::size_t) {
        if (first < 0 || owner != at(player)) return;
        std::size_t best = 0;
        const auto utility = [&](std::size_t a) {
            return sides_[owner].utility[at(first + static_cast<std::int64_t>(a) * stride)];
        };
        for (std::size_t a = 0; a < actions; ++a) {
            if (utility(a) > utility(best)) best = a;
            out[slot + a] = 0;
        }
        out[slot + best] = 1;
    });
    return out;
}

// The player's own reach after each action under its current strategy, per slot; 0 at other
// players' slots and at forced actions.
template <class Real>
std::vector<double> Engine<Real>::reach(int player) const {
    if (player < 0 || at(player) >= sides_.size()) throw std::invalid_argument("no such player");
    std::vector<double> out;
    each_infoset([&](std::size_t owner, std::size_t, std::size_t actions, std::int64_t first,
                     std::int64_t stride, std::size_t) {
        for (std::size_t a = 0; a < actions; ++a) {
            const bool mine = first >= 0 && owner == at(player);
            out.push_back(
                mine ? static_cast<double>(
                           sides_[owner].reach[at(first + static_cast<std::int64_t>(a) * stride)])
                     : 0.0);
        }
    });
    return out;
}

// The saved state: everything that restore() needs to continue exactly. Forced information sets
// have zeros.
template <class Real>
typename Engine<Real>::State Engine<Real>::state() const {
    State out;
    out.iteration = iteration_;
    out.weight = weight_;
    each_infoset([&](std::size_t owner, std::size_t, std::size_t actions, std::int64_t first,
                     std::int64_t stride, std::size_t infoset) {
        const Side& side = sides_[owner];
        for (std::size_t a = 0; a < actions; ++a) {
            const auto where =
                at(first < 0 ? kNowhere : first + static_cast<std::int64_t>(a) * stride);
            out.regret.push_back(static_cast<double>(side.regret[where]));
            out.strategy.push_back(static_cast<double>(side.strategy[where]));
            out.average.push_back(side.average[where]);
        }
        out.memory.push_back(first < 0 ? 0.0
                                       : static_cast<double>(side.memory[lane(owner, infoset)]));
    });
    return out;
}

// Continues from a saved state. Throws std::invalid_argument if it is of another game or has
// numbers out of range.
template <class Real>
void Engine<Real>::restore(const State& state) {
    if (state.regret.size() != slots() || state.strategy.size() != slots() ||
        state.average.size() != slots() || state.memory.size() != form_->place.size()) {
        throw std::invalid_argument("the saved state belongs to another game");
    }
    const auto fits = [](const std::vector<double>& values, double least, double most) {
        return std::all_of(values.begin(), values.end(),
                           [=](double v) { return v >= least && v <= most; });
    };
    const double any = std::numeric_limits<double>::max();
    if (state.iteration < 0 || state.iteration > kMostIterations ||
        !(state.weight >= 0 && state.weight <= any) || !fits(state.regret, -any, any) ||
        !fits(state.memory, 0, any) || !fits(state.strategy, 0, 1.000001) ||
        !fits(state.average, 0, 1.000001)) {
        throw std::invalid_argument("the saved state has numbers out of range");
    }
    each_infoset([&](std::size_t owner, std::size_t slot, std::size_t actions, std::int64_t first,
                     std::int64_t stride, std::size_t infoset) {
        if (first < 0) return;
        Side& side = sides_[owner];
        for (std::size_t a = 0; a < actions; ++a) {
            const auto where = at(first + static_cast<std::int64_t>(a) * stride);
            side.regret[where] = static_cast<Real>(state.regret[slot + a]);
            side.average[where] = state.average[slot + a];
        }
        side.memory[lane(owner, infoset)] = static_cast<Real>(state.memory[infoset]);
    });
    set_strategy(state.strategy.data());
    iteration_ = state.iteration;
    weight_ = state.weight;
}

template std::size_t Engine<float>::slots() const;
template std::vector<double> Engine<float>::strategy(bool) const;
template void Engine<float>::set_strategy(const double*);
template std::vector<double> Engine<float>::utilities(int);
template std::vector<double> Engine<float>::best_response(int, double&);
template std::vector<double> Engine<float>::reach(int) const;
template Engine<float>::State Engine<float>::state() const;
template void Engine<float>::restore(const State&);
template std::size_t Engine<double>::slots() const;
template std::vector<double> Engine<double>::strategy(bool) const;
template void Engine<double>::set_strategy(const double*);
template std::vector<double> Engine<double>::utilities(int);
template std::vector<double> Engine<double>::best_response(int, double&);
template std::vector<double> Engine<double>::reach(int) const;
template Engine<double>::State Engine<double>::state() const;
template void Engine<double>::restore(const State&);

}  // namespace fogtree
