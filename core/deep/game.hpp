// The requirements of a game for deep learning: states that can be copied and stepped forward, and
// the network inputs of a state.
//
// A position is written as a *code*: a short row of bytes, kept with the samples. A code expands to
// the network's inputs, of which most are zero.
#pragma once

#include <concepts>
#include <cstdint>
#include <vector>

#include "common/random.hpp"
#include "sampling/enumeration.hpp"
#include "tree/flat_tree.hpp"

namespace fogtree::deep {

using Action = std::int16_t;

// Rows of a network's inputs, zeros left out. Row r has the entries first[r] to first[r + 1] - 1;
// entry k says that input index[k] is value[k].
struct SparseRows {
    std::vector<std::uint32_t> first{0};  // rows + 1
    std::vector<std::uint16_t> index;
    std::vector<float> value;

    // The number of finished rows.
    std::size_t rows() const { return first.size() - 1; }
    void clear() {
        first.resize(1);
        index.clear();
        value.clear();
    }
    // Sets input `column` of the row that is being written.
    void add(int column, float number) {
        index.push_back(static_cast<std::uint16_t>(column));
        value.push_back(number);
    }
    // Finishes the row that is being written and begins the next.
    void end_row() { first.push_back(static_cast<std::uint32_t>(index.size())); }
};

// The sizes of a game's actions, codes and network inputs.
struct Shape {
    int players = 0;
    int actions = 0;             // of the whole game: a network's outputs
    int most_actions = 0;        // legal at one position
    int features = 0;            // inputs of a player's network
    int code_bytes = 0;          // of the code of a decision
    int history_features = 0;    // inputs of a value network; 0: there can be none
    int history_code_bytes = 0;  // of the code of a history
};

// The functions that a game type needs for training walks.
template <class Game>
concept DeepGame =
    std::copyable<typename Game::State> &&
    requires(const Game& game, typename Game::State& state, CounterRandom& random, int n,
             Action* actions, std::uint8_t* code, const std::uint8_t* written, SparseRows& rows) {
        { game.shape() } -> std::convertible_to<const Shape&>;
        { game.root() } -> std::same_as<typename Game::State>;
        { game.player(state) } -> std::convertible_to<int>;       // or kChance, kTerminal
        { game.legal(state, actions) } -> std::same_as<int>;      // how many, and which
        { game.payoff(state, n) } -> std::convertible_to<float>;  // at the end, for player n
        game.step(state, n);                                      // the n-th of the legal actions
        game.sample(state, random);           // draws an outcome of chance and moves there
        game.encode(state, code);             // as the mover sees it
        game.encode_history(state, n, code);  // with nothing hidden, from player n's side
        game.expand(written, rows);           // adds one row
        game.expand_history(written, rows);
    };

}  // namespace fogtree::deep
