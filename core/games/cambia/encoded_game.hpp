// Cambia with its positions encoded for networks. The inputs are those of Python's
// fogtree.games.cambia.features.Encoding; a code is the integers they are computed from.
#pragma once

#include <array>

#include "deep/game.hpp"
#include "games/cambia/position.hpp"

namespace fogtree::cambia {

// How a code's byte becomes inputs.
enum class Part : std::uint8_t { choice, bits, number, wide };

struct CodePart {
    Part part;
    int byte;     // where it is in the code; `wide` takes two bytes, the low one first
    int column;   // first input
    int width;    // inputs
    float scale;  // numbers are divided by it
};

class EncodedGame {
public:
    struct State {
        Position position;
        std::uint8_t refilled[kCardKinds];  // cards of each kind that last refilled the stock
    };

    explicit EncodedGame(const Rules& rules);

    const deep::Shape& shape() const { return shape_; }
    const Rules& rules() const { return rules_; }
    const std::vector<CodePart>& parts() const { return parts_; }
    State root() const;
    int player(const State& state) const {
        const Position& position = state.position;
        return position.over() ? kTerminal : position.by_chance() ? kChance : position.actor;
    }
    int legal(const State& state, deep::Action* out) const;
    float payoff(const State& state, int player) const;
    void step(State& state, int number) const {
        state.position.act(rules_, state.position.move(rules_, number));
    }
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
    void encode(const State& state, std::uint8_t* code) const {
        write(state, state.position.actor, false, code);
    }
    void encode_for(const State& state, int player, std::uint8_t* code) const {
        write(state, player, false, code);
    }
    void encode_history(const State& state, int player, std::uint8_t* code) const {
        write(state, player, true, code);
    }
    void expand(const std::uint8_t* code, deep::SparseRows& rows) const;
    void expand_history(const std::uint8_t* code, deep::SparseRows& rows) const {
        expand(code, rows);
    }
    static void note_refill(State& state);

private:
    void lay_out();
    void add_part(Part part, int count, int width, float scale);
    void write(const State& state, int viewer, bool all_seeing, std::uint8_t* code) const;

    Rules rules_;
    deep::Shape shape_;
    std::vector<CodePart> parts_;
};

static_assert(deep::DeepGame<EncodedGame>);

}  // namespace fogtree::cambia
