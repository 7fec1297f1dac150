// Any game in Python as a simulator: its states are walked through the protocol of `Game` and
// `State`, and everything else, the walks and the table, is native.
//
// All calls need the interpreter's lock; `guard()` takes it.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/random.hpp"
#include "sampling/walk_bounds.hpp"
#include "tree/flat_tree.hpp"

namespace fogtree {

// A hash of what a player remembers: every own action, and every view that differs from the one
// before. Equal values (1, 1.0 and True) have equal hashes, in every process. `start` is the hash
// before anything has happened; the others extend a hash.
class HistoryHash {
public:
    static std::uint64_t start(int player);
    static std::uint64_t after_action(std::uint64_t history, nanobind::handle action);
    static std::uint64_t after_view(std::uint64_t history, nanobind::handle view);
};

// A game in Python as the simulator of a sampler or a search.
class ProtocolGame {
public:
    // A state of the game with what each player knows there. The mutable members are asked of the
    // game when they are first needed; nothing else changes.
    struct Place {
        nanobind::object state;
        int player = kTerminal;
        int depth = 0;
        std::vector<std::uint64_t> histories;  // a hash for each player
        std::vector<nanobind::object> views;
        mutable nanobind::object edges;       // a tuple: actions, or outcomes of chance
        mutable bool even = false;            // whether all outcomes are equally likely
        mutable std::vector<double> weights;  // of outcomes
        mutable std::vector<double> payoffs;  // at the end
    };
    using State = std::shared_ptr<const Place>;

    ProtocolGame(nanobind::object game, int players);

    int players() const { return players_; }
    State root() const;
    int player(const State& state) const { return state->player; }
    int actions(const State& state) const;  // their number
    // The key of the mover's information set.
    std::uint64_t key(const State& state) const {
        return state->histories[static_cast<std::size_t>(state->player)];
    }
    double payoff(const State& state, int player) const;
    void step(State& state, int action) const;

    // For the search: the number of actions or outcomes of chance, the text of one of them, player
    // 0's payoff at the end, and that at the end of a random game, whose number of moves is added
    // to `steps`. Payoffs that do not add up to 0 are an error.
    int edges(const State& state) const;
    std::string label(const State& state, int edge) const;
    double zero_sum_payoff(const State& state) const;
    double playout(const State& from, SplitMix64& random, std::int64_t& steps) const;
    // Draws an outcome at a chance node and moves there.
    template <class Source>
    void sample(State& state, Source& source) const {
        find_outcomes(*state);
        const auto n = static_cast<int>(state->weights.size());
        if (state->even) return step(state, source.below(n));
        double total = 0;
        for (const double weight : state->weights) total += weight;
        step(state, source.pick(state->weights.data(), n, total));
    }

    // Holds the interpreter's lock while the game is walked; check_depth() measures the stack from
    // here.
    struct Guard {
        nanobind::gil_scoped_acquire lock;
        StackMark mark;
    };
    Guard guard() const { return {}; }

private:
    void find_actions(const Place& place) const;
    void find_outcomes(const Place& place) const;
    int mover(const nanobind::object& state) const;
    nanobind::object random_edge(const nanobind::object& state, int mover,
                                 SplitMix64& random) const;
    double checked_zero_sum(const std::vector<double>& payoffs) const;
    std::vector<double> payoffs_at(const nanobind::object& state) const;
    void check_child(const Place& before, const nanobind::object& action,
                     const nanobind::object& child) const;
    void look(Place& place, int mover, nanobind::handle action) const;
    void check_depth(const Place& before) const;
    [[noreturn]] void refuse(const std::string& fault) const;
    bool same(const nanobind::object& view, const nanobind::object& before) const;
    // Calls a function of fogtree.game.checks, which raises the error that describes a fault.
    template <class... Arguments>
    nanobind::object checked(const char* function, const Arguments&... arguments) const {
        return checks_.attr(function)(game_, arguments...);
    }

    nanobind::object game_, checks_;
    int players_;
    mutable State root_;
    mutable PyTypeObject* known_ = nullptr;  // the root's type, which needs no check; kept alive
    std::vector<nanobind::object> numbers_;  // of the players, as arguments
    nanobind::object child_, actions_, player_, observation_;  // names of methods
};

}  // namespace fogtree
