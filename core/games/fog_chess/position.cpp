#include "games/fog_chess/position.hpp"

#include <cstring>

#include "common/hash.hpp"
#include "games/fog_chess/sight.hpp"

namespace fogtree::fog_chess {

// The Zobrist key of a position, computed from its pieces, castling rights, en passant square and
// side to move.
std::uint64_t compute_key(const Position& position) {
    std::uint64_t key = zobrist.castling[position.castling] ^
                        zobrist.en_passant[position.en_passant] ^
                        (position.side == black ? zobrist.black_to_move : 0);
    for (Bitboard squares = position.occupied(); squares;) {
        const int square = take_first(squares);
        const Color color = position.white_pieces & bit(square) ? white : black;
        key ^= zobrist.piece[color][position.at(square)][square];
    }
    return key;
}

// Whether two positions are equal in all but the move counters and repeats.
bool same_position(const Position& one, const Position& two) {
    return std::memcmp(one.plane, two.plane, sizeof one.plane) == 0 &&
           one.white_pieces == two.white_pieces && one.castling == two.castling &&
           one.en_passant == two.en_passant && one.side == two.side;
}

bool Observation::operator==(const Observation& that) const {
    return std::memcmp(this, &that, sizeof *this) == 0;
}

// A hash of all bytes of an observation.
std::uint64_t hash(const Observation& observation) {
    std::uint64_t words[sizeof(Observation) / 8];
    std::memcpy(words, &observation, sizeof observation);
    std::uint64_t state = 0;
    for (const std::uint64_t word : words) {
        state = mix64((state ^ word) + kGoldenRatio);
    }
    return state;
}

}  // namespace fogtree::fog_chess
