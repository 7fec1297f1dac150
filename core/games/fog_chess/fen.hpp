// Positions as FEN, observations as fog FEN. Readers throw std::invalid_argument with one line.
//
// A fog FEN has five fields: the board, where `?` is a square not seen and `#` one in front of an
// own pawn that is known to be occupied, but not by which piece; the side to move; the viewer's own
// castling rights; the square where the viewer can take en passant; the viewer.
#pragma once

#include <string>
#include <string_view>

#include "games/fog_chess/position.hpp"
#include "games/fog_chess/sight.hpp"

namespace fogtree::fog_chess {

inline constexpr std::string_view start_fen =
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

Position read_fen(std::string_view text);
std::string write_fen(const Position& position);

// Reading also checks that the seen squares are those that the pieces shown would see.
Observation read_fog_fen(std::string_view text, SightRules rules);
std::string write_fog_fen(const Observation& observation);

// The pieces of an observation as a position: what is not seen is left empty.
Position seen_part(const Observation& observation);
// The unseen squares in front of the viewer's pawns. They must be occupied: empty ones are seen.
Bitboard must_be_occupied(const Observation& observation);

// A piece's letter in a FEN: PBNRKQ for White, pbnrkq for Black.
char piece_letter(Color color, Piece piece);
// The piece's code, or no_piece if the letter is none; the colour is the letter's case.
Piece piece_of_letter(char letter);
std::string square_name(int square);
// The number of a square such as "e4"; -1 if the text is none.
int square_of_name(std::string_view text);

}  // namespace fogtree::fog_chess
