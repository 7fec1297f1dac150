// Moves as UCI ("e7e8q") and as SAN ("exd8=Q"). Readers throw std::invalid_argument.
//
// SAN here follows pseudo-legal moves: there is no check and no mate, so a `+` is never written;
// `#` is written for the capture of the king, and both are read past.
#pragma once

#include <string>
#include <string_view>

#include "games/fog_chess/position.hpp"

namespace fogtree::fog_chess {

// Writers need a move that is pseudo-legal; readers look for one that fits the text.
std::string write_uci(Move move);
Move read_uci(const Position& position, std::string_view text);
std::string write_san(const Position& position, Move move);
Move read_san(const Position& position, std::string_view text);

}  // namespace fogtree::fog_chess
