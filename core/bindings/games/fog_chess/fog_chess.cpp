// Fog-of-War chess: positions, observations, notation, perft.
#include <nanobind/nanobind.h>
#include <nanobind/operators.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "games/fog_chess/fen.hpp"
#include "games/fog_chess/kernel.hpp"
#include "games/fog_chess/notation.hpp"
#include "games/fog_chess/step.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace fogtree::fog_chess;

namespace {

constexpr const char* equals = "def __eq__(self, other: object, /) -> bool";

// A text from Python as UTF-8. Half a surrogate pair, which undecodable bytes give, raises
// ValueError as other wrong texts do.
std::string text_of(const nb::str& text) {
    Py_ssize_t size = 0;
    const char* letters = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (letters == nullptr) {
        PyErr_Clear();
        throw std::invalid_argument("the text has letters that cannot be written");
    }
    return {letters, static_cast<std::size_t>(size)};
}

// An observation's memory as bytes, to store it.
nb::bytes bytes_of(const Observation& view) {
    return nb::bytes(reinterpret_cast<const char*>(&view), sizeof view);
}

// The observation that bytes_of() wrote. The bytes may come from a damaged file, so everything that
// a table is indexed by is checked.
Observation observation_of(const nb::bytes& bytes) {
    Observation view;
    if (bytes.size() != sizeof view) throw std::invalid_argument("not an observation's bytes");
    std::memcpy(&view, bytes.c_str(), sizeof view);
    const Bitboard pieces = view.plane[0] | view.plane[1] | view.plane[2];
    const bool crowded = count(view.white_pieces) > 16 || count(pieces & ~view.white_pieces) > 16;
    if ((view.plane[0] & view.plane[1] & view.plane[2]) || (pieces & ~view.seen) ||
        (view.white_pieces & ~pieces) || crowded || view.player > 1 || view.side > 1 ||
        view.castling > 15 || view.en_passant > 63)
        throw std::invalid_argument("not an observation's bytes");
    return view;
}

// The colour of a player's number; throws for other numbers.
Color color_of(int player) {
    if (player != 0 && player != 1) throw std::invalid_argument("player must be 0 or 1");
    return static_cast<Color>(player);
}

// The moves of the side to move: in Fog-of-War chess the pseudo-legal moves of chess.
std::vector<Move> moves_of(const Position& position) {
    std::vector<Move> moves(max_moves);
    moves.resize(static_cast<std::size_t>(kernel().generate(position, moves.data())));
    return moves;
}

// The position after a move; throws if the move is not legal, because making it would damage the
// position.
Position play(const Position& position, Move move) {
    for (const Move legal : moves_of(position))
        if (legal == move) return make(position, move);
    throw std::invalid_argument("the move " + write_uci(move) + " cannot be played here");
}

// A player's view of a position.
Observation view(const Position& position, int player, SightRules rules) {
    const Color color = color_of(player);
    return observe(position, color, kernel().sight(position, color, rules));
}

// The FEN letter of the piece on a square; empty if there is none.
std::string letter_at(const Position& position, int square) {
    if (square < 0 || square > 63) throw std::invalid_argument("square must be 0 to 63");
    const Piece piece = position.at(square);
    const Color color = position.white_pieces & bit(square) ? white : black;
    return piece == no_piece ? "" : std::string(1, piece_letter(color, piece));
}

// Throws unless a depth is from 0 to 64.
void check_depth(int depth) {
    if (depth < 0 || depth > 64) throw std::invalid_argument("depth must be 0 to 64");
}

// The number of move sequences of length `depth`: the usual test of move generators.
std::uint64_t perft(const Position& position, int depth) {
    check_depth(depth);
    nb::gil_scoped_release release;
    return kernel().perft(position, depth);
}

// As perft, but also computes both sides' views after every move; returns a checksum of them too.
std::pair<std::uint64_t, std::uint64_t> make_and_see(const Position& position, int depth,
                                                     SightRules rules) {
    check_depth(depth);
    nb::gil_scoped_release release;
    const SeeCount total = kernel().see(position, depth, rules);
    return {total.nodes, total.checksum};
}

// Adds FogChessSight to the module.
void bind_rules(nb::module_& module) {
    nb::class_<SightRules>(module, "FogChessSight", "The rules of sight in which servers differ.")
        .def(
            "__init__",
            [](SightRules* self, bool mark_blocked, bool pawn_diagonals_always,
               bool show_en_passant_victim) {
                new (self) SightRules{mark_blocked, pawn_diagonals_always, show_en_passant_victim};
            },
            nb::kw_only(), "mark_blocked"_a = true, "pawn_diagonals_always"_a = false,
            "show_en_passant_victim"_a = true)
        .def_ro("mark_blocked", &SightRules::mark_blocked,
                "Whether a hidden piece in front of a pawn is shown as blocked.")
        .def_ro("pawn_diagonals_always", &SightRules::pawn_diagonals_always,
                "Whether pawns see their diagonals even without a capture.")
        .def_ro("show_en_passant_victim", &SightRules::show_en_passant_victim,
                "Whether a pawn that can be taken en passant is seen.");
}

// Adds FogChessPosition to the module.
void bind_position(nb::module_& module) {
    nb::class_<Position>(module, "FogChessPosition", "A chess position; immutable.")
        .def(
            "__init__",
            [](Position* self, const nb::str& fen) { new (self) Position(read_fen(text_of(fen))); },
            "fen"_a = start_fen, "Read a position in FEN.")
        .def_prop_ro("fen", &write_fen, "The position in FEN.")
        .def_prop_ro(
            "side", [](const Position& self) { return static_cast<int>(self.side); },
            "The player to move.")
        .def_prop_ro(
            "halfmove", [](const Position& self) { return static_cast<int>(self.halfmove); },
            "Plies since the last capture or pawn move.")
        .def_prop_ro(
            "fullmove", [](const Position& self) { return static_cast<int>(self.fullmove); },
            "Number of the move.")
        .def_prop_ro(
            "castling", [](const Position& self) { return static_cast<int>(self.castling); },
            "Castling rights as a bit mask.")
        .def_prop_ro(
            "en_passant", [](const Position& self) { return static_cast<int>(self.en_passant); },
            "The en passant square, or 0.")
        .def_prop_ro(
            "key", [](const Position& self) { return self.key; }, "The Zobrist hash.")
        .def_prop_ro(
            "occupied", [](const Position& self) { return self.occupied(); },
            "The occupied squares as a bitboard.")
        .def(
            "pieces", [](const Position& self, int player) { return self.of(color_of(player)); },
            "player"_a, "The squares of a player's pieces as a bitboard.")
        .def(
            "has_king",
            [](const Position& self, int player) { return self.has_king(color_of(player)); },
            "player"_a, "Whether a player's king is on the board.")
        .def("letter_at", &letter_at, "square"_a, "The FEN letter of a square, or an empty string.")
        .def("moves", &moves_of, "The legal moves.")
        .def(
            "count_moves", [](const Position& self) { return kernel().count_moves(self); },
            "Number of legal moves.")
        .def("play", &play, "move"_a, "The position after a legal move.")
        .def(
            "uci_moves",
            [](const Position& self) {
                std::vector<std::string> texts;
                for (const Move move : moves_of(self)) texts.push_back(write_uci(move));
                return texts;
            },
            "The legal moves in UCI notation.")
        .def(
            "read_uci",
            [](const Position& self, const nb::str& text) { return read_uci(self, text_of(text)); },
            "text"_a, "The legal move written in UCI notation.")
        .def(
            "read_san",
            [](const Position& self, const nb::str& text) { return read_san(self, text_of(text)); },
            "text"_a, "The legal move written in standard notation.")
        .def("write_san", &write_san, "move"_a, "A move in standard notation.")
        .def("perft", &perft, "depth"_a, "Number of move sequences of a length.")
        .def("make_and_see", &make_and_see, "depth"_a, "rules"_a = SightRules{},
             "Number of nodes down to a depth, and a checksum of both players' sight at each.")
        .def(
            "sight",
            [](const Position& self, int player, SightRules rules) {
                const Sight sight = kernel().sight(self, color_of(player), rules);
                return std::pair(sight.seen, sight.blocked);
            },
            "player"_a, "rules"_a = SightRules{},
            "The squares that a player sees, and those marked as blocked, as bitboards.")
        .def("observation", &view, "player"_a, "rules"_a = SightRules{}, "What a player sees.")
        .def("__eq__", &same_position, nb::is_operator(), nb::sig(equals))
        .def("__hash__", [](const Position& self) { return static_cast<Py_hash_t>(self.key >> 1); })
        .def("__getstate__", &write_fen)
        .def("__setstate__",
             [](Position& self, const std::string& fen) { new (&self) Position(read_fen(fen)); });
    module.def("fog_chess_write_uci", &write_uci, "move"_a, "A move in UCI notation.");
}

// Adds FogChessObservation to the module.
void bind_observation(nb::module_& module) {
    nb::class_<Observation>(module, "FogChessObservation",
                            "What one player sees of a position; immutable.")
        .def(
            "__init__",
            [](Observation* self, const nb::str& fog_fen, SightRules rules) {
                new (self) Observation(read_fog_fen(text_of(fog_fen), rules));
            },
            "fog_fen"_a, "rules"_a = SightRules{}, "Read an observation in fog FEN.")
        .def_prop_ro("fog_fen", &write_fog_fen, "The observation in fog FEN.")
        .def_ro("seen", &Observation::seen, "The visible squares as a bitboard.")
        .def_ro("blocked", &Observation::blocked, "The squares marked as blocked as a bitboard.")
        .def_prop_ro(
            "player", [](const Observation& self) { return static_cast<int>(self.player); },
            "The player who sees it.")
        .def_prop_ro(
            "side", [](const Observation& self) { return static_cast<int>(self.side); },
            "The player to move.")
        .def_prop_ro(
            "castling", [](const Observation& self) { return static_cast<int>(self.castling); },
            "The player's own castling rights as a bit mask.")
        .def_prop_ro(
            "en_passant", [](const Observation& self) { return static_cast<int>(self.en_passant); },
            "The visible en passant square, or 0.")
        .def(
            "letter_at",
            [](const Observation& self, int square) { return letter_at(seen_part(self), square); },
            "square"_a, "The FEN letter of a visible piece, or an empty string.")
        .def_prop_ro(
            "key", [](const Observation& self) { return hash(self); }, "A hash of the observation.")
        .def("to_bytes", &bytes_of, "The observation as bytes.")
        .def(
            "__eq__", [](const Observation& self, const Observation& that) { return self == that; },
            nb::is_operator(), nb::sig(equals))
        .def("__hash__",
             [](const Observation& self) { return static_cast<Py_hash_t>(hash(self) >> 1); })
        .def("__getstate__", &bytes_of)
        .def("__setstate__", [](Observation& self, const nb::bytes& bytes) {
            new (&self) Observation(observation_of(bytes));
        });
}

// Adds the functions that tell and choose the move generator to the module.
void bind_kernel(nb::module_& module) {
    module.def(
        "fog_chess_kernel", [] { return std::string(kernel().name); },
        "Name of the move generator in use.");
    module.def(
        "fog_chess_kernels",
        [] {
            std::vector<std::string> names;
            for (const char* name : {"pext", "magic"})
                if (kernel_available(name)) names.emplace_back(name);
            return names;
        },
        "The move generators that this processor supports, the fastest first.");
    module.def(
        "fog_chess_choose_kernel",
        [](const std::string& name) {
            if (!choose_kernel(name.c_str()))
                throw std::invalid_argument("no kernel '" + name + "' on this processor");
        },
        "name"_a, "Select the move generator.");
    module.def(
        "fog_chess_slider_attacks",
        [](const std::string& piece, int square, Bitboard occupied) {
            if (square < 0 || square > 63) throw std::invalid_argument("square must be 0 to 63");
            return piece == "rook" ? kernel().rook_attacks(square, occupied)
                                   : kernel().bishop_attacks(square, occupied);
        },
        "piece"_a, "square"_a, "occupied"_a,
        "The squares that a rook or bishop attacks, as a bitboard.");
}

}  // namespace

void bind_fog_chess_belief(nb::module_& module);
void bind_fog_chess_evaluators(nb::module_& module);
void bind_fog_chess_search(nb::module_& module);

// Adds everything of Fog-of-War chess to the module.
void bind_fog_chess(nb::module_& module) {
    bind_rules(module);
    bind_position(module);
    bind_observation(module);
    bind_kernel(module);
    bind_fog_chess_belief(module);
    bind_fog_chess_evaluators(module);
    bind_fog_chess_search(module);
}
