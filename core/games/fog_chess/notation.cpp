#include "games/fog_chess/notation.hpp"

#include <stdexcept>
#include <vector>

#include "games/fog_chess/fen.hpp"
#include "games/fog_chess/kernel.hpp"

namespace fogtree::fog_chess {

namespace {

// Throws an error that quotes the text and says why it is refused.
[[noreturn]] void refuse(std::string_view text, const char* why) {
    std::string clean;
    for (const char letter : text.substr(0, 20))
        clean += letter >= ' ' && letter <= '~' ? letter : '.';
    throw std::invalid_argument("the move '" + clean + "' " + why);
}

// All pseudo-legal moves.
std::vector<Move> moves_of(const Position& position) {
    std::vector<Move> moves(max_moves);
    moves.resize(static_cast<std::size_t>(kernel().generate(position, moves.data())));
    return moves;
}

// Whether a move captures, en passant included.
bool is_capture(const Position& position, Move move) {
    return kind_of(move) == take_en_passant || (position.occupied() & bit(to_square(move)));
}

// What a move in SAN says of the move; -1 or no_piece where it says nothing.
struct Pattern {
    Piece piece = pawn;
    int from_file = -1;
    int from_row = -1;
    int to = -1;
    Piece promotion = no_piece;
    int castle_file = -1;  // where the king goes, from 0: 6 short, 2 long; -1: no castling
};

// Whether a move fits a pattern.
bool matches(const Position& position, Move move, const Pattern& pattern) {
    const int from = from_square(move);
    if (pattern.castle_file >= 0)
        return kind_of(move) == castle && to_square(move) % 8 == pattern.castle_file;
    const Piece promotion = is_promotion(move) ? promoted(kind_of(move)) : no_piece;
    return kind_of(move) != castle && position.at(from) == pattern.piece &&
           to_square(move) == pattern.to && promotion == pattern.promotion &&
           (pattern.from_file < 0 || from % 8 == pattern.from_file) &&
           (pattern.from_row < 0 || from / 8 == pattern.from_row);
}

// The text without signs of check and mate, and marks such as "!?".
std::string_view without_suffix(std::string_view text) {
    while (!text.empty() && std::string_view("+#!?").find(text.back()) != std::string_view::npos)
        text.remove_suffix(1);
    return text;
}

// Reads the part between the piece's letter and the target, "", "b", "1" or "b1", each perhaps with
// an x, into the pattern's origin. `whole` is quoted in an error.
void read_origin(std::string_view whole, std::string_view text, Pattern& pattern) {
    if (!text.empty() && (text.back() == 'x' || text.back() == ':')) text.remove_suffix(1);
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'h') {
        pattern.from_file = text[0] - 'a';
        text.remove_prefix(1);
    }
    if (!text.empty() && text[0] >= '1' && text[0] <= '8') {
        pattern.from_row = text[0] - '1';
        text.remove_prefix(1);
    }
    if (!text.empty()) refuse(whole, "cannot be read");
}

// Reads a move in SAN as a pattern.
Pattern read_pattern(std::string_view whole) {
    Pattern pattern;
    std::string_view text = without_suffix(whole);
    if (text == "O-O" || text == "0-0") return pattern.castle_file = 6, pattern;
    if (text == "O-O-O" || text == "0-0-0") return pattern.castle_file = 2, pattern;
    if (text.size() < 2 || text.size() > 8) refuse(whole, "cannot be read");
    if (text[0] >= 'A' && text[0] <= 'Z') {
        pattern.piece = piece_of_letter(text[0]);
        if (pattern.piece == no_piece) refuse(whole, "cannot be read");
        text.remove_prefix(1);
    }
    if (text.back() >= 'A' && text.back() <= 'Z') {
        pattern.promotion = piece_of_letter(text.back());
        if (pattern.promotion == no_piece) refuse(whole, "cannot be read");
        text.remove_suffix(1);
        if (!text.empty() && text.back() == '=') text.remove_suffix(1);
    }
    if (text.size() < 2) refuse(whole, "cannot be read");
    pattern.to = square_of_name(text.substr(text.size() - 2));
    if (pattern.to < 0) refuse(whole, "cannot be read");
    read_origin(whole, text.substr(0, text.size() - 2), pattern);
    return pattern;
}

// The origin as a move in SAN needs it: nothing if no other piece of the kind can go to that
// square, else the file if it is enough, else the row, else the whole square.
std::string origin(const Position& position, Move move) {
    const int from = from_square(move);
    bool others = false, same_file = false, same_row = false;
    for (const Move rival : moves_of(position)) {
        const int square = from_square(rival);
        if (square == from || to_square(rival) != to_square(move) || kind_of(rival) == castle ||
            position.at(square) != position.at(from))
            continue;
        others = true;
        same_file |= square % 8 == from % 8;
        same_row |= square / 8 == from / 8;
    }
    if (!others) return "";
    const std::string name = square_name(from);
    if (!same_file) return name.substr(0, 1);
    return same_row ? name : name.substr(1);
}

}  // namespace

// A move in UCI notation.
std::string write_uci(Move move) {
    std::string text = square_name(from_square(move)) + square_name(to_square(move));
    if (is_promotion(move)) text += piece_letter(black, promoted(kind_of(move)));
    return text;
}

// The pseudo-legal move with this UCI text; an error if there is none.
Move read_uci(const Position& position, std::string_view text) {
    const bool promotes = text.size() == 5;
    if ((text.size() != 4 && !promotes) || square_of_name(text.substr(0, 2)) < 0 ||
        square_of_name(text.substr(2, 2)) < 0)
        refuse(text, "is not of the form e2e4 or e7e8q");
    for (const Move move : moves_of(position))
        if (write_uci(move) == text) return move;
    refuse(text, "cannot be played here");
}

// A pseudo-legal move in SAN.
std::string write_san(const Position& position, Move move) {
    const int to = to_square(move);
    const bool takes_king = (position.kings() & bit(to)) != 0;
    if (kind_of(move) == castle) return to % 8 == 6 ? "O-O" : "O-O-O";
    const Piece piece = position.at(from_square(move));
    const bool takes = is_capture(position, move);
    std::string text;
    if (piece != pawn)
        text = piece_letter(white, piece) + origin(position, move);
    else if (takes)
        text = square_name(from_square(move)).substr(0, 1);
    if (takes) text += 'x';
    text += square_name(to);
    if (is_promotion(move)) text += std::string("=") + piece_letter(white, promoted(kind_of(move)));
    return takes_king ? text + '#' : text;
}

// The pseudo-legal move that fits a text in SAN; an error if there is none or more than one.
Move read_san(const Position& position, std::string_view text) {
    const Pattern pattern = read_pattern(text);
    Move found = no_move;
    for (const Move move : moves_of(position)) {
        if (!matches(position, move, pattern)) continue;
        if (found != no_move) refuse(text, "fits more than one move");
        found = move;
    }
    if (found == no_move) refuse(text, "cannot be played here");
    return found;
}

}  // namespace fogtree::fog_chess
