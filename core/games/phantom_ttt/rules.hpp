// The rules of phantom tic-tac-toe for compiling, with the order of actions of the game in Python.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tree/enumerable_game.hpp"

namespace fogtree::phantom_ttt {

using Squares = std::uint64_t;  // a bit for each

class PhantomTicTacToe {
public:
    static constexpr int kMostPlayers = 2;

    struct State {
        std::array<Squares, 2> marks{};
        std::array<Squares, 2> known{};  // squares each player knows to be taken
        std::int32_t left = 0;           // marks until the end
        std::int8_t winner = 0;          // 1: the first player, -1: the second
        std::int8_t player = 0;
    };

    // The names of the squares, the winning lines through each of them, and the marks until a draw.
    PhantomTicTacToe(std::vector<std::string> names, std::vector<std::vector<Squares>> lines,
                     int plies)
        : names_(std::move(names)), lines_(std::move(lines)), plies_(plies) {
        if (names_.empty() || names_.size() > 64 || lines_.size() != names_.size() || plies < 1 ||
            plies > static_cast<int>(names_.size())) {
            throw std::invalid_argument("no such board");
        }
    }

    int players() const { return 2; }
    State root() const {
        State state;
        state.left = plies_;
        return state;
    }
    int player(const State& state) const { return state.player; }
    int actions(const State& state) const { return std::popcount(unknown(state)); }
    int outcomes(const State&) const { return 0; }
    double probability(const State&, int) const { return 0; }
    void deal(State&, int) const {}

    // A label is a square.
    int label(const State& state, int n) const {
        Squares open = unknown(state);
        for (; n > 0; --n) open &= open - 1;
        return std::countr_zero(open);
    }
    std::string label_text(int square) const { return names_[static_cast<std::size_t>(square)]; }

    void step(State& state, int n) const {
        const int square = label(state, n);
        const auto me = static_cast<std::size_t>(state.player);
        const Squares bit = Squares{1} << square;
        state.known[me] |= bit;
        if ((bit & state.marks[1 - me]) != 0) return;
        state.marks[me] |= bit;
        const auto& lines = lines_[static_cast<std::size_t>(square)];
        const bool won = std::any_of(lines.begin(), lines.end(), [&](Squares line) {
            return (line & state.marks[me]) == line;
        });
        --state.left;
        if (won) state.winner = me == 0 ? 1 : -1;
        state.player = won || state.left == 0 ? kTerminal : static_cast<std::int8_t>(1 - me);
    }

    double payoff(const State& state, int player) const {
        return player == 0 ? state.winner : -state.winner;
    }

    // Only the mover notices anything: the square, and whether it was taken.
    Token noticed(const State& before, int square, const State& after, int player) const {
        if (player != before.player) return 0;
        const bool taken = after.player == before.player;
        return static_cast<Token>(1 + 2 * square + (taken ? 1 : 0));
    }
    // "P0 a1 b2?": the squares tried, with a question mark if the other had it.
    std::string infoset_name(int player, const Tokens& tokens) const {
        std::string name = "P";
        name += std::to_string(player);
        for (const Token token : tokens) {
            name.append(" ").append(names_[(token - 1) / 2]);
            if ((token - 1) % 2 == 1) name += '?';
        }
        return name;
    }

private:
    Squares unknown(const State& state) const {
        const Squares all = ~Squares{0} >> (64 - names_.size());
        return all & ~state.known[static_cast<std::size_t>(state.player)];
    }

    std::vector<std::string> names_;
    std::vector<std::vector<Squares>> lines_;
    int plies_;
};

static_assert(EnumerableGame<PhantomTicTacToe>);

}  // namespace fogtree::phantom_ttt
