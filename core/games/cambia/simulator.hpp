// Cambia as a native simulator: a position, and hashes of what its players remember.
#pragma once

#include <cstdint>
#include <stdexcept>

#include "games/cambia/keys.hpp"
#include "games/cambia/position.hpp"
#include "games/cambia/tokens.hpp"
#include "sampling/simulator.hpp"

namespace fogtree::cambia {

// The rules in the form that samplers need.
class CambiaSimulator {
public:
    struct State {
        Position position;
        // With Memory::everything: the hash of each player's observations. With no_history the
        // first is the hash of the cards that last refilled the stock, 0 before that; the
        // abstractions of the own hand leave all of them 0.
        std::uint64_t known[kMostPlayers];
        int outcome;  // the last outcome of chance: a card, or who starts
    };

    // `memory`: what a player's key depends on. Rules under which games can get stuck are refused.
    CambiaSimulator(const Rules& rules, Memory memory) : rules_(rules), memory_(memory) {
        if (rules.max_turns > kMostTurns) {
            throw std::invalid_argument("cambia is sampled up to 1,000 turns");
        }
        if (rules.earlier_defects) {
            throw std::invalid_argument("cambia with earlier_defects can get stuck: not sampled");
        }
    }

    int players() const { return rules_.players; }

    // The state before anything is dealt, when players remember nothing.
    State root() const {
        State state{Position::first(rules_), {}, -1};
        if (memory_ != Memory::everything) return state;
        for (int p = 0; p < rules_.players; ++p) state.known[p] = blank_memory(p);
        return state;
    }

    // Who moves; kChance, or kTerminal at the end.
    int player(const State& state) const {
        if (state.position.over()) return kTerminal;
        return state.position.by_chance() ? kChance : state.position.actor;
    }

    // The number of legal actions.
    int actions(const State& state) const { return state.position.move_count(rules_); }

    // The key of the mover's information set, or of its abstraction.
    std::uint64_t key(const State& state) const {
        if (memory_ == Memory::everything) return state.known[state.position.actor];
        return position_key(rules_, state.position, memory_, state.known[0]);
    }

    // Plays the legal action with this number, and updates what the players remember.
    void step(State& state, int action) const {
        const Move move = state.position.move(rules_, action);
        if (memory_ != Memory::everything) return state.position.act(rules_, move);
        const Position before = state.position;
        state.position.act(rules_, move);
        notice(state, before, {action_of(move, rules_.players), move, 0});
    }

    // Draws an outcome of chance, and updates what the players remember.
    template <class Source>
    void sample(State& state, Source& source) const {
        const Position before = state.position;
        if (before.phase == Phase::starter) {
            state.outcome = source.below(rules_.players);
            state.position.start_with(state.outcome);
        } else {
            if (before.stock_size == 0 && memory_ == Memory::no_history) {
                state.known[0] = hash_of_cards(before.pool(), before.pool_size());
            }
            const int place = source.below(before.pool_size());
            state.outcome = before.pool()[place];
            state.position.draw_at(rules_, place);
        }
        if (memory_ == Memory::everything) notice(state, before, {-1, {}, state.outcome});
    }

    // The last outcome of chance. Copies of a card lie at several places of the stock; to draw
    // either of them is the same outcome.
    int outcome(const State& state) const { return state.outcome; }

    // A player's payoff at the end.
    double payoff(const State& state, int player) const {
        double out[kMostPlayers];
        state.position.returns(rules_, out);
        return out[player];
    }

private:
    static constexpr int kMostTurns = 1000;  // bounds the recursion of walks, a call per decision

    // Adds every player's observation of a step to that player's hash.
    void notice(State& state, const Position& before, const Step& step) const {
        for (int p = 0; p < rules_.players; ++p) {
            const Token token = token_of(rules_, before, step, state.position, p);
            state.known[p] = extend_hash(state.known[p], token);
        }
    }

    Rules rules_;
    Memory memory_;
};

static_assert(Simulator<CambiaSimulator>);

}  // namespace fogtree::cambia
