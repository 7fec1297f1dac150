// The rules of games on a board whose marks the other player does not see (phantom tic-tac-toe,
// dark hex), for samplers and for compiling, with the order of actions of the games in Python.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/hash.hpp"
#include "games/hidden_board/goal.hpp"
#include "sampling/simulator.hpp"
#include "tree/enumerable_game.hpp"

namespace fogtree::hidden_board {

// The rules of one such game.
class HiddenBoard {
public:
    static constexpr int kMostPlayers = 2;

    // A position, and what each player knows of it.
    struct State {
        std::array<Squares, 2> marks{};        // each player's
        std::array<Squares, 2> known{};        // squares each player knows to be taken
        std::array<std::uint64_t, 2> tried{};  // hash of the squares that each player tried
        std::int32_t left = 0;                 // marks until the end
        std::int8_t winner = 0;                // 1: the first player, -1: the second, 0: nobody
        std::int8_t player = 0;                // who moves; kTerminal at the end
    };

    // `names`: of the squares. `plies`: marks until a draw. `abrupt`: who tries a square that the
    // other has loses the turn, instead of trying again.
    HiddenBoard(std::vector<std::string> names, Goal goal, int plies, bool abrupt)
        : names_(std::move(names)), goal_(std::move(goal)), plies_(plies), abrupt_(abrupt) {
        if (names_.empty() || names_.size() > kMostSquares || goal_.squares() != names_.size() ||
            plies < 1 || plies > static_cast<int>(names_.size())) {
            throw std::invalid_argument("no such board");
        }
    }

    int players() const { return 2; }
    int squares() const { return static_cast<int>(names_.size()); }
    int plies() const { return plies_; }
    bool abrupt() const { return abrupt_; }
    const Goal& goal() const { return goal_; }
    // The empty board.
    State root() const {
        State state;
        state.left = plies_;
        return state;
    }
    // Who moves; kTerminal at the end.
    int player(const State& state) const { return state.player; }
    // The number of legal actions: squares that the mover does not know to be taken.
    int actions(const State& state) const { return std::popcount(unknown(state)); }
    // There is no chance: no outcomes to deal or draw.
    int outcomes(const State&) const { return 0; }
    double probability(const State&, int) const { return 0; }
    void deal(State&, int) const {}
    template <class Source>
    void sample(State&, Source&) const {}

    // The square of action n: the n-th, from 0, that the mover does not know to be taken.
    int label(const State& state, int n) const {
        Squares open = unknown(state);
        for (; n > 0; --n) open &= open - 1;
        return std::countr_zero(open);
    }
    // The name of a square.
    std::string label_text(int square) const { return names_[static_cast<std::size_t>(square)]; }

    // Plays the mover's action n.
    void step(State& state, int n) const { try_square(state, label(state, n)); }

    // The mover tries a square that it does not know to be taken: it gets a mark there, or learns
    // that the other has one.
    void try_square(State& state, int square) const {
        const auto me = static_cast<std::size_t>(state.player);
        const Squares bit = Squares{1} << square;
        const bool taken = (bit & state.marks[1 - me]) != 0;
        state.known[me] |= bit;
        state.tried[me] = after_try(state.tried[me], token(square, taken));
        if (taken) {
            if (abrupt_) state.player = static_cast<std::int8_t>(1 - me);
            return;
        }
        state.marks[me] |= bit;
        const bool won = goal_.reached(state.marks[me], state.player, square);
        --state.left;
        if (won) state.winner = me == 0 ? 1 : -1;
        state.player = won || state.left == 0 ? kTerminal : static_cast<std::int8_t>(1 - me);
    }

    // A player's payoff at the end: 1, 0 or -1 for a win, a draw or a loss.
    double payoff(const State& state, int player) const {
        return player == 0 ? state.winner : -state.winner;
    }

    // The key of the mover's information set, a hash of the player and of what it tried.
    std::uint64_t key(const State& state) const {
        return key_of(state.player, state.tried[static_cast<std::size_t>(state.player)]);
    }
    // The key of a player who tried squares with this hash.
    static std::uint64_t key_of(int player, std::uint64_t tried) {
        return mix64(tried + static_cast<std::uint64_t>(player + 1) * kGoldenRatio);
    }
    // The hash of what a player tried, after one more try.
    static std::uint64_t after_try(std::uint64_t tried, Token token) {
        return extend_hash(tried, static_cast<std::int64_t>(token));
    }

    // What a player notices of a try: the square, and whether it was taken; never 0.
    static Token token(int square, bool taken) {
        return static_cast<Token>(1 + 2 * square + (taken ? 1 : 0));
    }
    // Only the mover notices anything; 0: nothing.
    Token noticed(const State& before, int square, const State&, int player) const {
        if (player != before.player) return 0;
        const auto other = static_cast<std::size_t>(1 - player);
        return token(square, (before.marks[other] >> square & 1) != 0);
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
    // The squares that the mover does not know to be taken: its actions.
    Squares unknown(const State& state) const {
        const Squares all = ~Squares{0} >> (kMostSquares - squares());
        return all & ~state.known[static_cast<std::size_t>(state.player)];
    }

    std::vector<std::string> names_;
    Goal goal_;
    int plies_;
    bool abrupt_;
};

static_assert(Simulator<HiddenBoard> && EnumerableGame<HiddenBoard>);

}  // namespace fogtree::hidden_board
