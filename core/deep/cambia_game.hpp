// Cambia as a deep game. What a player sees is Python's fogtree.games.cambia.features.Encoding,
// number for number; a code is the whole numbers it is made of.
#pragma once

#include <array>

#include "../cambia/position.hpp"
#include "game.hpp"

namespace fogtree::deep {

inline constexpr int kKinds = 15;  // ace to queen, black king, red king, joker

// How a code's byte becomes inputs.
enum class Part : std::uint8_t { choice, bits, number, wide };

struct CodePart {
    Part part;
    int byte;     // where it is in the code; `wide` takes two bytes, the low one first
    int column;   // first input
    int width;    // inputs
    float scale;  // numbers are divided by it
};

class CambiaGame {
public:
    struct State {
        cambia::Position position;
        std::uint8_t refilled[kKinds];  // cards of each kind that last refilled the stock
    };

    explicit CambiaGame(const cambia::Rules& rules);

    const Shape& shape() const { return shape_; }
    const cambia::Rules& rules() const { return rules_; }
    const std::vector<CodePart>& parts() const { return parts_; }
    State root() const;
    int player(const State& state) const {
        const cambia::Position& position = state.position;
        return position.over() ? kTerminal : position.by_chance() ? kChance : position.actor;
    }
    int legal(const State& state, Action* out) const;
    float payoff(const State& state, int player) const;
    void step(State& state, int number) const {
        state.position.act(rules_, state.position.move(rules_, number));
    }
    template <class Source>
    void sample(State& state, Source& source) const {
        cambia::Position& position = state.position;
        if (position.phase == cambia::Phase::starter) {
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
    void expand(const std::uint8_t* code, SparseRows& rows) const;
    void expand_history(const std::uint8_t* code, SparseRows& rows) const { expand(code, rows); }
    static void note_refill(State& state);

private:
    void lay_out();
    void add_part(Part part, int count, int width, float scale);
    void write(const State& state, int viewer, bool all_seeing, std::uint8_t* code) const;

    cambia::Rules rules_;
    Shape shape_;
    std::vector<CodePart> parts_;
};

static_assert(DeepGame<CambiaGame>);

}  // namespace fogtree::deep
