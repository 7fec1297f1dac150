// Hidden boards with positions encoded for networks: the squares that a player tried in their
// order, and what the player knows of each square.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "deep/coded_inputs.hpp"
#include "games/hidden_board/rules.hpp"

namespace fogtree::hidden_board {

// The rules, and a code of what was tried for a network's inputs.
class EncodedGame {
public:
    // A position with all that each player tried, in order.
    struct State {
        HiddenBoard::State position;
        std::uint8_t tries[2];                // number of them
        std::uint8_t tried[2][kMostSquares];  // 2 * square, + 1 if the other had it
    };

    // Lays out the codes of a player's knowledge and of a history.
    explicit EncodedGame(HiddenBoard board) : board_(std::move(board)) {
        const int n = board_.squares();
        // A player's code has its own view (inputs_), a history's code both players' (history_).
        for (const int views : {1, 2}) {
            deep::CodedInputs& inputs = views == 1 ? inputs_ : history_;
            for (int view = 0; view < views; ++view) {
                inputs.add(deep::Part::choice, n, 2 * n);  // the tries in their order
                inputs.add(deep::Part::choice, n, 2);      // who has each square
            }
        }
        shape_ = {.players = 2,
                  .actions = n,
                  .most_actions = n,
                  .features = inputs_.features(),
                  .code_bytes = inputs_.bytes(),
                  .history_features = history_.features(),
                  .history_code_bytes = history_.bytes()};
    }

    const HiddenBoard& board() const { return board_; }
    const deep::CodedInputs& inputs() const { return inputs_; }
    const deep::CodedInputs& history_inputs() const { return history_; }
    const deep::Shape& shape() const { return shape_; }
    // The empty board, before anybody tried a square.
    State root() const {
        State state;
        std::memset(static_cast<void*>(&state), 0, sizeof state);
        state.position = board_.root();
        return state;
    }
    // Who moves; kTerminal at the end.
    int player(const State& state) const { return state.position.player; }
    // Writes the legal actions, squares, in their order; returns how many there are.
    int legal(const State& state, deep::Action* out) const {
        const int count = board_.actions(state.position);
        for (int n = 0; n < count; ++n) {
            out[n] = static_cast<deep::Action>(board_.label(state.position, n));
        }
        return count;
    }
    // A player's payoff at the end.
    float payoff(const State& state, int player) const {
        return static_cast<float>(board_.payoff(state.position, player));
    }
    // Makes legal action `number` and adds it to the mover's tries, as the token less 1.
    void step(State& state, int number) const {
        const int square = board_.label(state.position, number), me = state.position.player;
        const Token token = board_.noticed(state.position, square, state.position, me);
        state.tried[me][state.tries[me]++] = static_cast<std::uint8_t>(token - 1);
        board_.try_square(state.position, square);
    }
    // There is no chance.
    template <class Source>
    void sample(State&, Source&) const {}
    // Writes the code of what the mover knows.
    void encode(const State& state, std::uint8_t* code) const {
        const int me = state.position.player;
        write(state.tried[me], state.tries[me], code);
    }
    // Writes the code of what both players know, `player` first.
    void encode_history(const State& state, int player, std::uint8_t* code) const {
        for (const int viewer : {player, 1 - player}) {
            code = write(state.tried[viewer], state.tries[viewer], code);
        }
    }
    // Adds the row of a network's inputs that a player's code stands for.
    void expand(const std::uint8_t* code, deep::SparseRows& rows) const {
        inputs_.expand(code, rows);
    }
    // Adds the row of a network's inputs that a history's code stands for.
    void expand_history(const std::uint8_t* code, deep::SparseRows& rows) const {
        history_.expand(code, rows);
    }

    // Writes the code of a player who tried these squares, each 2 * square, + 1 if the other had
    // it: first the tries in their order, then for each square 0 if it is the player's own, 1 if
    // the other had it; kNothing for the rest. Returns the place behind the code.
    std::uint8_t* write(const std::uint8_t* tried, int tries, std::uint8_t* code) const {
        constexpr std::uint8_t kNothing = 255;
        const int n = board_.squares();
        std::fill_n(code, 2 * n, kNothing);
        std::copy_n(tried, tries, code);
        for (int t = 0; t < tries; ++t) code[n + tried[t] / 2] = tried[t] % 2;
        return code + 2 * n;
    }

private:
    HiddenBoard board_;
    deep::CodedInputs inputs_, history_;
    deep::Shape shape_;
};

static_assert(deep::DeepGame<EncodedGame>);

}  // namespace fogtree::hidden_board
