// What wins on a board: a line of marks, or a chain of marks between two sides.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

namespace fogtree::hidden_board {

using Squares = std::uint64_t;  // a bit for each
inline constexpr int kMostSquares = 64;

// What a player must reach to win: either lines or a chain, for both players.
class Goal {
public:
    // Who has all squares of a line wins; lines[s] are the winning lines through square s.
    static Goal line(std::vector<std::vector<Squares>> lines) {
        Goal goal;
        goal.lines_ = std::move(lines);
        return goal;
    }

    // Hex: a square touches six others. The first player connects the first row with the last, the
    // second player the first column with the last.
    static Goal chain(int rows, int columns) {
        if (rows < 1 || columns < 1 || rows > kMostSquares || columns > kMostSquares ||
            rows * columns > kMostSquares) {
            throw std::invalid_argument("no such board");
        }
        Goal goal;
        for (int row = 0; row < rows; ++row) {
            for (int column = 0; column < columns; ++column) {
                const Squares bit = Squares{1} << (row * columns + column);
                if (row == 0) goal.sides_[0][0] |= bit;
                if (row == rows - 1) goal.sides_[0][1] |= bit;
                if (column == 0) goal.sides_[1][0] |= bit;
                if (column == columns - 1) goal.sides_[1][1] |= bit;
                goal.touching_.push_back(touching(rows, columns, row, column));
            }
        }
        return goal;
    }

    // The number of squares of the board.
    std::size_t squares() const { return lines_.empty() ? touching_.size() : lines_.size(); }

    // Whether a player with these marks has won by one of them, the last, on `square`: with a line
    // through it, or a chain that it belongs to. The chain is found by adding neighbours until none
    // is new.
    bool reached(Squares marks, int player, int square) const {
        const auto place = static_cast<std::size_t>(square);
        if (!lines_.empty()) {
            return std::any_of(lines_[place].begin(), lines_[place].end(),
                               [=](Squares line) { return (line & marks) == line; });
        }
        Squares chain = Squares{1} << square;
        for (Squares fresh = chain; fresh != 0;) {
            Squares reached = 0;
            for (; fresh != 0; fresh &= fresh - 1) {
                reached |= touching_[static_cast<std::size_t>(std::countr_zero(fresh))];
            }
            fresh = reached & marks & ~chain;
            chain |= fresh;
        }
        const auto& sides = sides_[static_cast<std::size_t>(player)];
        return (chain & sides[0]) != 0 && (chain & sides[1]) != 0;
    }

private:
    // The squares beside one, on a hex board drawn as rows and columns.
    static Squares touching(int rows, int columns, int row, int column) {
        constexpr int kSteps[6][2] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {1, -1}, {-1, 1}};
        Squares found = 0;
        for (const auto& [down, right] : kSteps) {
            const int r = row + down, c = column + right;
            if (r < 0 || r >= rows || c < 0 || c >= columns) continue;
            found |= Squares{1} << (r * columns + c);
        }
        return found;
    }

    std::vector<std::vector<Squares>> lines_;        // through each square
    std::vector<Squares> touching_;                  // the squares beside each square
    std::array<std::array<Squares, 2>, 2> sides_{};  // by player: the two sides to connect
};

}  // namespace fogtree::hidden_board
