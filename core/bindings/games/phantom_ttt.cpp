// Phantom tic-tac-toe's native walk.
#include "games/phantom_ttt/rules.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "tree/history_walk_of.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using fogtree::phantom_ttt::PhantomTicTacToe;
using fogtree::phantom_ttt::Squares;

void bind_phantom_ttt(nb::module_& module) {
    module.def(
        "phantom_ttt_walk",
        [](std::vector<std::string> squares, std::vector<std::vector<Squares>> lines,
           int plies) -> std::unique_ptr<fogtree::NativeWalk> {
            return std::make_unique<fogtree::HistoryWalkOf<PhantomTicTacToe>>(
                PhantomTicTacToe(std::move(squares), std::move(lines), plies));
        },
        "squares"_a, "lines"_a, "plies"_a,
        "A walk over phantom tic-tac-toe; lines: the winning lines through each square, as bits.");
}
