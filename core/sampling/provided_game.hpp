// A game whose rules are the C functions of somebody else's package, as a simulator.
//
// Everything that the functions return is checked, so that a faulty one is an error and not a wrong
// number; only what they do to memory cannot be.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fogtree_simulator.h"
#include "sampling/scheme.hpp"
#include "sampling/simulator.hpp"
#include "sampling/trainer.hpp"
#include "sampling/walk_bounds.hpp"
#include "tree/flat_tree.hpp"

namespace fogtree {

static_assert(FOGTREE_CHANCE == kChance && FOGTREE_TERMINAL == kTerminal);
static_assert(FOGTREE_MOST_PLAYERS == kMostPlayers && FOGTREE_MOST_ACTIONS == kMostActions);
static_assert(FOGTREE_MOST_MOVES == kMostMoves);

// The rules of a fogtree_simulator.
class ProvidedGame {
public:
    // The provider's bytes with who moves there. Only the blocks that the provider uses are copied.
    class State {
    public:
        State() {}
        State(const State& other) { copy(other); }
        State& operator=(const State& other) {
            if (this != &other) copy(other);
            return *this;
        }

    private:
        friend class ProvidedGame;
        static constexpr std::uint32_t kBlock = 64;

        void copy(const State& other) {
            blocks_ = other.blocks_;
            moves_ = other.moves_;
            player_ = other.player_;
            for (std::uint32_t i = 0; i < blocks_; ++i) {
                std::memcpy(bytes_ + i * kBlock, other.bytes_ + i * kBlock, kBlock);
            }
        }

        alignas(16) std::byte bytes_[FOGTREE_MOST_STATE_BYTES];
        std::uint32_t blocks_ = 0;
        std::int32_t moves_ = 0;  // since the first state
        std::int32_t player_ = kTerminal;
    };

    // Checks the rules and asks for the first state. `owner` keeps alive what they point to.
    ProvidedGame(const fogtree_simulator& rules, std::shared_ptr<const void> owner)
        : rules_(checked(rules)), owner_(std::move(owner)) {
        root_.blocks_ = (rules_.state_bytes - 1) / State::kBlock + 1;
        std::memset(root_.bytes_, 0, sizeof root_.bytes_);
        rules_.root(rules_.rules, root_.bytes_);
        find_player(root_);
    }

    int players() const { return rules_.players; }
    State root() const { return root_; }
    int player(const State& state) const { return state.player_; }
    // The number of legal actions at a player's state.
    int actions(const State& state) const { return choices(state, kMostActions, "actions"); }
    // The key of the mover's information set.
    std::uint64_t key(const State& state) const { return rules_.key(rules_.rules, state.bytes_); }

    // A player's payoff at the end.
    double payoff(const State& state, int player) const {
        const double value = rules_.payoff(rules_.rules, state.bytes_, player);
        if (!std::isfinite(value)) refuse("payoff() does not return a finite number");
        return value;
    }

    // Makes an action of the mover, or an outcome of chance.
    void step(State& state, int choice) const {
        if (state.moves_ >= kMostMoves) refuse(kEndlessPath);
        if (state.moves_ % kMovesPerLook == 0 && StackMark::used_up()) refuse(kDeepWalk);
        rules_.step(rules_.rules, state.bytes_, choice);
        ++state.moves_;
        find_player(state);
    }

    // Draws an outcome at a chance state.
    template <class Source>
    void sample(State& state, Source& source) const {
        const int n = choices(state, FOGTREE_MOST_OUTCOMES, "outcomes of chance");
        if (rules_.probability == nullptr) return step(state, source.below(n));
        static thread_local std::vector<double> weights;
        const double total = find_weights(state, n, weights);
        const bool even = std::all_of(weights.begin(), weights.end(),
                                      [&](double weight) { return weight == weights.front(); });
        step(state, even ? source.below(n) : source.pick(weights.data(), n, total));
    }

    StackMark guard() const { return {}; }  // held while the game is walked

private:
    static constexpr int kMovesPerLook = 16;  // at the stack, of which a move takes 20 kB at most

    [[noreturn]] static void refuse(const std::string& fault) {
        throw SimulatorError("native simulator: " + fault);
    }

    // The rules, if this version can read them and none of their functions is missing.
    static const fogtree_simulator& checked(const fogtree_simulator& rules) {
        if (rules.version != FOGTREE_SIMULATOR_VERSION) {
            refuse("it has version " + std::to_string(rules.version) +
                   " of fogtree_simulator.h, this fogtree reads version " +
                   std::to_string(FOGTREE_SIMULATOR_VERSION));
        }
        check_range("state_bytes", rules.state_bytes, 1, FOGTREE_MOST_STATE_BYTES);
        check_range("players", rules.players, 2, kMostPlayers);
        check_function("root", rules.root != nullptr);
        check_function("player", rules.player != nullptr);
        check_function("choices", rules.choices != nullptr);
        check_function("step", rules.step != nullptr);
        check_function("key", rules.key != nullptr);
        check_function("payoff", rules.payoff != nullptr);
        return rules;
    }
    static void check_range(const char* name, std::int64_t value, int least, int most) {
        if (value >= least && value <= most) return;
        refuse(std::string(name) + " is " + std::to_string(value) + ", not " +
               std::to_string(least) + " to " + std::to_string(most));
    }
    static void check_function(const char* name, bool given) {
        if (!given) refuse(std::string("its function ") + name + "() is NULL");
    }

    // Asks who moves at a new state.
    void find_player(State& state) const {
        const std::int32_t player = rules_.player(rules_.rules, state.bytes_);
        if (player < kTerminal || player >= rules_.players) {
            refuse("player() returns " + std::to_string(player) + ", but there are " +
                   std::to_string(rules_.players) + " players");
        }
        state.player_ = player;
    }

    // The number of actions or outcomes at a state, 1 to `most`; `what` names them.
    int choices(const State& state, int most, const char* what) const {
        const std::int32_t n = rules_.choices(rules_.rules, state.bytes_);
        if (n < 1 || n > most) {
            refuse("choices() returns " + std::to_string(n) + "; there can be 1 to " +
                   std::to_string(most) + " " + what);
        }
        return n;
    }

    // Writes the probabilities of the n outcomes at a chance state and returns their sum.
    double find_weights(const State& state, int n, std::vector<double>& weights) const {
        constexpr double rounding = 1e-9;
        weights.resize(static_cast<std::size_t>(n));
        double total = 0;
        for (int i = 0; i < n; ++i) {
            const double weight = rules_.probability(rules_.rules, state.bytes_, i);
            if (!(weight >= 0)) refuse("probability() returns a number that is not 0 or more");
            total += weights[static_cast<std::size_t>(i)] = weight;
        }
        if (!(std::abs(total - 1) <= rounding)) {
            refuse("the probabilities of a chance move sum to " + std::to_string(total) +
                   ", not to 1");
        }
        return total;
    }

    const fogtree_simulator rules_;
    std::shared_ptr<const void> owner_;
    State root_;
};

static_assert(Simulator<ProvidedGame>);

}  // namespace fogtree
