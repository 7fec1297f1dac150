#include "games/fog_chess/fen.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <vector>

#include "games/fog_chess/kernel.hpp"

namespace fogtree::fog_chess {

namespace {

constexpr std::string_view castling_letters = "KQkq";
constexpr std::size_t longest_text = 200;

// Throws the error of all readers.
[[noreturn]] void refuse(const std::string& what) {
    throw std::invalid_argument(what);
}

// A text in quotes for error messages: at most 100 characters, unprintable ones as dots.
std::string shown(std::string_view text) {
    std::string clean;
    for (const char letter : text.substr(0, 100))
        clean += letter >= ' ' && letter <= '~' ? letter : '.';
    return "'" + clean + "'";
}

// The fields of a FEN, which are separated by spaces.
std::vector<std::string_view> fields_of(std::string_view text) {
    if (text.size() > longest_text) refuse("a FEN has at most 200 characters");
    std::vector<std::string_view> fields;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t begin = text.find_first_not_of(' ', at);
        if (begin == std::string_view::npos) break;
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        fields.push_back(text.substr(begin, end - begin));
        at = end;
    }
    return fields;
}

// A board that is read: its pieces and, in a fog FEN, the squares that are unseen or blocked.
struct Board {
    Position position{};
    Bitboard unseen = 0;
    Bitboard blocked = 0;
};

// Throws the error that a rank of the board `text` does not have 8 squares; `length` says how many.
[[noreturn]] void refuse_rank(std::string_view text, int rank, const std::string& length) {
    refuse("the board " + shown(text) + " is not 8 rows of 8: rank " + std::to_string(rank) +
           " has " + length + " squares");
}

// Reads the first field of a FEN, the board; `fog` allows the marks ? and #.
Board read_board(std::string_view text, bool fog) {
    Board board;
    int file = 0;
    int row = 7;
    for (const char letter : text) {
        if (letter == '/') {
            if (file != 8) refuse_rank(text, row + 1, "only " + std::to_string(file));
            if (row == 0) refuse("the board " + shown(text) + " is not 8 rows of 8: it has more");
            file = 0;
            --row;
            continue;
        }
        const int width = letter >= '1' && letter <= '9' ? letter - '0' : 1;
        if (file + width > 8) refuse_rank(text, row + 1, "more than 8");
        const Bitboard square = bit(8 * row + file);
        const Piece piece = piece_of_letter(letter);
        if (piece != no_piece)
            board.position.put(letter >= 'a' ? black : white, piece, square);
        else if (fog && letter == '?')
            board.unseen |= square;
        else if (fog && letter == '#')
            board.blocked |= square;
        else if (letter < '1' || letter > '8')
            refuse("the board " + shown(text) + " has an unknown letter");
        file += width;
    }
    if (file != 8) refuse_rank(text, row + 1, "only " + std::to_string(file));
    if (row != 0)
        refuse("the board " + shown(text) + " is not 8 rows of 8: it has " +
               std::to_string(8 - row));
    return board;
}

// Reads w or b; `what` names the field in an error.
Color read_color(std::string_view text, const char* what) {
    if (text == "w") return white;
    if (text == "b") return black;
    refuse(std::string(what) + " must be w or b, not " + shown(text));
}

// Reads the castling rights; an error if king or rook is not at home.
std::uint8_t read_castling(std::string_view text, const Position& position) {
    if (text == "-") return 0;
    std::uint8_t castling = 0;
    if (text.empty() || text.size() > 4)
        refuse("castling rights " + shown(text) + " make no sense");
    for (const char letter : text) {
        const std::size_t number = castling_letters.find(letter);
        if (number == std::string_view::npos || castling >> number & 1)
            refuse("castling rights " + shown(text) + " make no sense");
        const Color color = number < 2 ? white : black;
        const Bitboard home = color == white ? 1 : bit(56);
        const Bitboard king_home = home << 4;
        const Bitboard rook_home = number % 2 == 0 ? home << 7 : home;
        const Bitboard own = position.of(color);
        if (!(position.kings() & own & king_home) || !(position.rooks() & own & rook_home))
            refuse(std::string("castling right ") + letter +
                   " needs king and rook on their home squares");
        castling |= static_cast<std::uint8_t>(1 << number);
    }
    return castling;
}

// Reads the en passant square: 0 if no pawn can capture there. A square that no double push can
// have passed is an error.
std::uint8_t read_en_passant(std::string_view text, const Position& position) {
    if (text == "-") return 0;
    const int square = square_of_name(text);
    const int row = position.side == white ? 5 : 2;
    if (square < 0 || square / 8 != row)
        refuse("en passant square " + shown(text) + " makes no sense");
    const int back = position.side == white ? 8 : -8;
    const Bitboard them = position.of(other(position.side));
    const Bitboard between = bit(square) | bit(square + back);
    if ((position.occupied() & between) || !(position.pawns() & them & bit(square - back)))
        refuse("no pawn has just passed over " + shown(text));
    const Bitboard takers =
        beside(bit(square - back)) & position.pawns() & position.of(position.side);
    return takers ? static_cast<std::uint8_t>(square) : 0;
}

// Puts the pawn that can be taken en passant on the board of a fog FEN where its square is unseen;
// `text` is the en passant square.
void suppose_victim(std::string_view text, Board& board) {
    const int square = square_of_name(text);
    if (square < 16 || square >= 48) return;
    const Color side = board.position.side;
    const Bitboard victim = side == white ? bit(square - 8) : bit(square + 8);
    if (board.unseen & victim) board.position.put(other(side), pawn, victim);
}

// Reads a whole number from `low` to `high`; `what` names it in an error.
int read_number(std::string_view text, int low, int high, const char* what) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < low || number > high)
        refuse(std::string(what) + " must be a number from " + std::to_string(low) + " to " +
               std::to_string(high) + ", not " + shown(text));
    return number;
}

// Refuses boards with too many pieces, several kings, or pawns on the first or last rank.
void check_pieces(const Position& position) {
    if (position.pawns() & (rank(0) | rank(7)))
        refuse("a pawn cannot stand on the first or last row");
    for (const Color color : {white, black}) {
        const Bitboard own = position.of(color);
        if (count(position.kings() & own) > 1) refuse("a side has at most one king");
        if (count(own) > 16) refuse("a side has at most 16 pieces");
        if (count(position.pawns() & own) > 8) refuse("a side has at most 8 pawns");
    }
}

// Castling rights as in a FEN: letters of KQkq, or - for none.
std::string write_castling(int castling) {
    std::string text;
    for (int number = 0; number < 4; ++number)
        if (castling >> number & 1) text += castling_letters[static_cast<std::size_t>(number)];
    return text.empty() ? "-" : text;
}

// The board field of a FEN from the letters of its squares; each run of spaces becomes a digit.
std::string write_board(const char (&letters)[64]) {
    std::string text;
    for (int row = 7; row >= 0; --row) {
        int empty = 0;
        for (int file = 0; file < 8; ++file) {
            const char letter = letters[8 * row + file];
            if (letter == ' ') {
                ++empty;
                continue;
            }
            if (empty) text += static_cast<char>('0' + empty);
            empty = 0;
            text += letter;
        }
        if (empty) text += static_cast<char>('0' + empty);
        if (row) text += '/';
    }
    return text;
}

// Writes the letter of every square; a space where no piece stands.
void fill_letters(const Position& position, char (&letters)[64]) {
    for (int square = 0; square < 64; ++square) {
        const Piece piece = position.at(square);
        const Color color = position.white_pieces & bit(square) ? white : black;
        letters[square] = piece == no_piece ? ' ' : piece_letter(color, piece);
    }
}

}  // namespace

// A piece's letter, in capitals for White.
char piece_letter(Color color, Piece piece) {
    constexpr std::string_view letters = ".PBNRKQ";
    const char letter = letters[piece];
    return color == white ? letter : static_cast<char>(letter - 'A' + 'a');
}

// The piece that a letter, capital or small, stands for; no_piece if none.
Piece piece_of_letter(char letter) {
    constexpr std::string_view letters = "PBNRKQ";
    const char upper =
        letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
    const std::size_t at = letters.find(upper);
    return at == std::string_view::npos ? no_piece : static_cast<Piece>(at + 1);
}

// The name of a square, such as "e4".
std::string square_name(int square) {
    return {static_cast<char>('a' + square % 8), static_cast<char>('1' + square / 8)};
}

// The number of a square such as "e4"; -1 if the text is none.
int square_of_name(std::string_view text) {
    if (text.size() != 2 || text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8')
        return -1;
    return (text[1] - '1') * 8 + (text[0] - 'a');
}

// Reads a FEN of 4 to 6 fields; without counters the halfmove clock is 0 and the move number 1.
Position read_fen(std::string_view text) {
    const auto fields = fields_of(text);
    if (fields.size() < 4 || fields.size() > 6)
        refuse("a FEN has 4 to 6 fields, not " + std::to_string(fields.size()));
    Position position = read_board(fields[0], false).position;
    check_pieces(position);
    if (!position.kings()) refuse("a position needs at least one king");
    position.side = read_color(fields[1], "the side to move");
    position.castling = read_castling(fields[2], position);
    position.en_passant = read_en_passant(fields[3], position);
    position.halfmove = static_cast<std::uint8_t>(
        fields.size() > 4 ? read_number(fields[4], 0, 255, "the halfmove clock") : 0);
    position.fullmove = static_cast<std::uint16_t>(
        fields.size() > 5 ? read_number(fields[5], 1, 65535, "the move number") : 1);
    position.key = compute_key(position);
    return position;
}

// Writes a FEN.
std::string write_fen(const Position& position) {
    char letters[64];
    fill_letters(position, letters);
    return write_board(letters) + (position.side == white ? " w " : " b ") +
           write_castling(position.castling) + " " +
           (position.en_passant ? square_name(position.en_passant) : "-") + " " +
           std::to_string(position.halfmove) + " " + std::to_string(position.fullmove);
}

// The pieces that are seen, as a position; its key is not set.
Position seen_part(const Observation& observation) {
    Position position{};
    for (int number = 0; number < 3; ++number) position.plane[number] = observation.plane[number];
    position.white_pieces = observation.white_pieces;
    position.side = static_cast<Color>(observation.side);
    position.castling = observation.castling;
    position.en_passant = observation.en_passant;
    position.fullmove = 1;
    return position;
}

// The unseen squares in front of the viewer's pawns, on which something must stand: an empty square
// to which a pawn can step, once or twice, is seen.
Bitboard must_be_occupied(const Observation& observation) {
    const Position known = seen_part(observation);
    const Color player = static_cast<Color>(observation.player);
    const Bitboard pawns = known.pawns() & known.of(player);
    const auto ahead = [player](Bitboard squares) {
        return player == white ? forward<white>(squares) : forward<black>(squares);
    };
    const Bitboard front = ahead(pawns);
    const Bitboard free = front & observation.seen & ~known.occupied();
    const Bitboard second = ahead(free & rank(player == white ? 2 : 5));
    return (front | second) & ~observation.seen;
}

// Reads a fog FEN, and checks that the pieces shown see exactly the squares that it says.
Observation read_fog_fen(std::string_view text, SightRules rules) {
    const auto fields = fields_of(text);
    if (fields.size() != 5) refuse("a fog FEN has 5 fields, not " + std::to_string(fields.size()));
    Board board = read_board(fields[0], true);
    Position& position = board.position;
    check_pieces(position);
    position.side = read_color(fields[1], "the side to move");
    const Color player = read_color(fields[4], "the viewer");
    position.castling = read_castling(fields[2], position);
    if (position.castling & ~own_rights(player))
        refuse("a fog FEN tells only the viewer's castling rights");
    if (!rules.show_en_passant_victim) suppose_victim(fields[3], board);
    position.en_passant = read_en_passant(fields[3], position);
    if (fields[3] != "-" && (position.side != player || !position.en_passant))
        refuse("the viewer cannot take en passant on " + shown(fields[3]));
    if (!(position.kings() & position.of(player)) && position.of(player))
        refuse("the viewer has no king, so the game is over");
    Observation observation =
        observe(position, player, {~(board.unseen | board.blocked), board.blocked});
    // Something must stand on the squares that are known to be taken; what does not matter.
    for (Bitboard taken = must_be_occupied(observation); taken;)
        position.put(other(player), knight, bit(take_first(taken)));
    const Sight sight = kernel().sight(position, player, rules);
    if (sight.seen != observation.seen || sight.blocked != observation.blocked) {
        const Bitboard wrong =
            (sight.seen ^ observation.seen) | (sight.blocked ^ observation.blocked);
        refuse("the pieces shown do not see what the fog FEN says: look at " +
               square_name(first(wrong)));
    }
    return observation;
}

// Writes a fog FEN.
std::string write_fog_fen(const Observation& observation) {
    char letters[64];
    fill_letters(seen_part(observation), letters);
    for (int square = 0; square < 64; ++square)
        if (!(observation.seen & bit(square)))
            letters[square] = observation.blocked & bit(square) ? '#' : '?';
    return write_board(letters) + (observation.side == white ? " w " : " b ") +
           write_castling(observation.castling) + " " +
           (observation.en_passant ? square_name(observation.en_passant) : "-") +
           (observation.player == white ? " w" : " b");
}

}  // namespace fogtree::fog_chess
