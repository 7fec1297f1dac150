// Cambia with its positions encoded for networks. The inputs are those of Python's
// fogtree.games.cambia.features.Encoding; a code is the integers they are computed from.
#pragma once

#include <array>

#include "deep/coded_inputs.hpp"
#include "games/cambia/position.hpp"

namespace fogtree::cambia {

// Cambia as a game for deep learning.
class EncodedGame {
public:
    struct State {
        Position position;
        std::uint8_t refilled[kCardKinds];  // cards of each kind that last refilled the stock
    };

    explicit EncodedGame(const Rules& rules);

    const deep::Shape& shape() const { return shape_; }
    const Rules& rules() const { return rules_; }
    const deep::CodedInputs& inputs() const { return inputs_; }
    // The inputs that the code of a whole history becomes: laid out like those of a player's code.
    const deep::CodedInputs& history_inputs() const { return inputs_; }
    State root() const;
    // Who moves; kChance, or kTerminal at the end.
    int player(const State& state) const {
        const Position& position = state.position;
        return position.over() ? kTerminal : position.by_chance() ? kChance : position.actor;
    }
    // Writes the numbers of the legal actions; returns how many there are.
    int legal(const State& state, deep::Action* out) const;
    float payoff(const State& state, int player) const;
    // Plays the legal action with this index in legal().
    void step(State& state, int number) const {
        state.position.act(rules_, state.position.move(rules_, number));
    }
    // Draws an outcome of chance: who starts, or a card.
    template <class Source>
    void sample(State& state, Source& source) const {
        Position& position = state.position;
        if (position.phase == Phase::starter) {
            position.start_with(source.below(rules_.players));
            return;
        }
        if (position.stock_size == 0) note_refill(state);
        position.draw_at(rules_, source.below(position.pool_size()));
    }
    // Writes the code of a position as the mover sees it.
    void encode(const State& state, std::uint8_t* code) const {
        write(state, state.position.actor, false, code);
    }
    // Writes the code of a position as `player` sees it.
    void encode_for(const State& state, int player, std::uint8_t* code) const {
        write(state, player, false, code);
    }
    // Writes the code of a position with all cards open, and players numbered from `player` on.
    void encode_history(const State& state, int player, std::uint8_t* code) const {
        write(state, player, true, code);
    }
    // Adds the row of a network's inputs that a code stands for.
    void expand(const std::uint8_t* code, deep::SparseRows& rows) const {
        inputs_.expand(code, rows);
    }
    // As expand(), for a code by encode_history().
    void expand_history(const std::uint8_t* code, deep::SparseRows& rows) const {
        inputs_.expand(code, rows);
    }
    static void note_refill(State& state);

private:
    void lay_out();
    void write(const State& state, int viewer, bool all_seeing, std::uint8_t* code) const;

    Rules rules_;
    deep::Shape shape_;
    deep::CodedInputs inputs_;
};

static_assert(deep::DeepGame<EncodedGame>);

}  // namespace fogtree::cambia
