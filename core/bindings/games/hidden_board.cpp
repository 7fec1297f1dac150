// Games on a board whose marks the other player does not see: walks, simulator, positions for
// networks.
#include <nanobind/stl/unique_ptr.h>

#include "bindings/deep/arrays.hpp"
#include "games/hidden_board/engines.hpp"
#include "games/hidden_board/response_board.hpp"
#include "tree/history_walk_of.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace fogtree::hidden_board;

namespace {

// The squares that a player tried, in order: 2 * square, + 1 if the other player had it.
using Tried = std::vector<std::uint8_t>;

// Throws std::invalid_argument for tries that the board cannot have.
void check_tried(const HiddenBoard& board, const Tried& tried) {
    if (tried.size() > static_cast<std::size_t>(board.squares()))
        throw std::invalid_argument("more tries than squares");
    for (const int one : tried) {
        if (one >= 2 * board.squares()) throw std::invalid_argument("no such square");
    }
}

// The simulator's key of the information set of a player who tried these squares.
std::uint64_t key_of(const HiddenBoard& board, int player, const Tried& tried) {
    check_tried(board, tried);
    if (player < 0 || player > 1) throw std::invalid_argument("no such player");
    std::uint64_t hash = 0;
    for (const int one : tried) {
        hash = HiddenBoard::after_try(hash, HiddenBoard::token(one / 2, one % 2 == 1));
    }
    return HiddenBoard::key_of(player, hash);
}

// The code for a network from the tries of its viewer or, for a history, of both players, the
// viewer's first.
Out<std::uint8_t> code_of(const DeepEngine& engine, const std::vector<Tried>& views) {
    const EncodedGame& game = engine.game();
    std::vector<std::uint8_t> code(views.size() *
                                   static_cast<std::size_t>(engine.shape().code_bytes));
    std::uint8_t* place = code.data();
    for (const Tried& tried : views) {
        check_tried(game.board(), tried);
        place = game.write(tried.data(), static_cast<int>(tried.size()), place);
    }
    return handed_over(std::move(code));
}

}  // namespace

// Adds HiddenBoard (rules) and DeepHiddenBoard (positions for networks) to the module.
void bind_hidden_board(nb::module_& module) {
    nb::class_<HiddenBoard>(module, "HiddenBoard",
                            "The rules of a game whose marks the other player does not see.")
        .def_static(
            "lines",
            [](std::vector<std::string> squares, std::vector<std::vector<Squares>> lines, int plies,
               bool abrupt) {
                return HiddenBoard(std::move(squares), Goal::line(std::move(lines)), plies, abrupt);
            },
            "squares"_a, "lines"_a, "plies"_a, "abrupt"_a,
            "Marks in a line win; lines: the winning lines through each square, as bits.")
        .def_static(
            "chain",
            [](std::vector<std::string> squares, int rows, int columns, bool abrupt) {
                Goal goal = Goal::chain(rows, columns);  // refuses sizes whose product overflows
                const int plies = static_cast<int>(goal.squares());
                return HiddenBoard(std::move(squares), std::move(goal), plies, abrupt);
            },
            "squares"_a, "rows"_a, "columns"_a, "abrupt"_a,
            "Hex: a chain of marks between two sides wins.")
        .def(
            "walk",
            [](const HiddenBoard& board) -> std::unique_ptr<fogtree::NativeWalk> {
                return std::make_unique<fogtree::HistoryWalkOf<HiddenBoard>>(board);
            },
            "A walk over all histories.")
        .def("simulator", &simulated_game, "The native simulator.")
        .def("responses", &response_game, nb::call_guard<nb::gil_scoped_release>(),
             "Exact best responses; a board of 4 to 10 squares that is played until it is full.")
        .def("key", &key_of, "player"_a, "tried"_a,
             "The simulator's key of a player's information set; tried: the squares that the "
             "player tried, in order, each as 2 * square, + 1 if the other player had it.");
    bind_coded_engine<DeepEngine>(module, "DeepHiddenBoard", "A hidden board for deep learning.")
        .def(nb::init<const HiddenBoard&>(), "board"_a)
        .def("code", &code_of, "views"_a,
             "The code of an information set from what its player tried (2 * square, + 1 if the "
             "other had it), or with both players' tries, the viewer's first, of a history.");
}
