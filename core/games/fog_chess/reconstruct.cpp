#include "games/fog_chess/reconstruct.hpp"

#include <algorithm>
#include <random>
#include <stdexcept>

#include "games/fog_chess/fen.hpp"
#include "games/fog_chess/material.hpp"

namespace fogtree::fog_chess {

namespace {

// The squares one step ahead of these, as a colour's pawns move.
Bitboard ahead(Color color, Bitboard squares) {
    return color == white ? forward<white>(squares) : forward<black>(squares);
}

// One unseen square that may hold a piece of the other side.
struct OpenSquare {
    int square;
    bool must_be_occupied;  // known to be occupied
};

// Fills the unseen squares of a view.
class Filler {
public:
    Filler(const Observation& view, SightRules rules, int promotions);

    // The number of ways to fill the unseen squares.
    double arrangements() const { return graph_.size() ? ways(0, 0) : 0; }
    // Adds every position of every arrangement to `out`; gives up and returns false once there are
    // more than `limit`.
    bool enumerate(std::size_t limit, std::vector<Position>& out) const;
    std::vector<Position> sample(std::size_t samples, std::uint64_t seed) const;

private:
    void find_open_squares(const Observation& view);
    void count_ways();
    // The number of ways to fill the open squares from index `place` on, given the other side's
    // material so far, which is `state` of graph_.
    double ways(std::size_t place, int state) const {
        return ways_[place * static_cast<std::size_t>(graph_.size()) +
                     static_cast<std::size_t>(state)];
    }
    bool fits(const OpenSquare& open, int kind) const;
    bool enumerate_from(std::size_t place, int state, Position& position, std::size_t limit,
                        std::vector<Position>& out) const;
    // Adds a full board with all castling rights and en passant squares that it allows.
    void add_variants(const Position& board, std::vector<Position>& out) const;
    std::size_t most_variants() const;
    Position draw(std::mt19937_64& random) const;

    Color player_;
    Color them_;
    Position known_;  // the pieces that are known
    MaterialGraph graph_;
    std::vector<OpenSquare> open_;
    std::vector<double> ways_;  // by place and state: arrangements of the squares from there on
};

// How many pieces of each kind one side has.
Material material_of(const Position& position, Color color) {
    Material material;
    for (Bitboard pieces = position.of(color); pieces;) {
        const int square = take_first(pieces);
        ++material.number[material_kind(position.at(square), square)];
    }
    return material;
}

// The pieces that are known, including a pawn that can be taken en passant and is not shown.
Position known_part(const Observation& view, SightRules rules) {
    Position position = seen_part(view);
    if (view.en_passant && !rules.show_en_passant_victim) {
        const Color them = other(static_cast<Color>(view.player));
        const Bitboard victim = ahead(them, bit(view.en_passant));
        if (!(view.seen & victim)) position.put(them, pawn, victim);
    }
    return position;
}

// All material that the other side may have, given its known pieces and the most promotions; -1: as
// few as those pieces require.
MaterialGraph graph_for(const Position& known, Color them, int promotions) {
    const Material material = material_of(known, them);
    return MaterialGraph(material, promotions >= 0 ? promotions : material.promotions());
}

// Finds what is known and the open squares, and counts the ways to fill them.
Filler::Filler(const Observation& view, SightRules rules, int promotions)
    : player_(static_cast<Color>(view.player)),
      them_(other(player_)),
      known_(known_part(view, rules)),
      graph_(graph_for(known_, them_, promotions)) {
    find_open_squares(view);
    count_ways();
}

// Fills open_ with the unseen squares on which a piece of the other side may or must stand. One
// must stand on an unseen square in front of an own pawn, which would see the square if it were
// empty. Other unseen squares are known to be empty, and left out, where an own pawn could capture
// (it would see a piece there), and where a pawn that can be taken en passant came from.
void Filler::find_open_squares(const Observation& view) {
    const Bitboard pawns = known_.pawns() & known_.of(player_);
    Bitboard empty = player_ == white ? diagonals<white>(pawns) : diagonals<black>(pawns);
    if (view.en_passant) empty |= ahead(player_, bit(view.en_passant));  // where the pawn came from
    const Bitboard occupied = must_be_occupied(view) & ~known_.occupied();
    Bitboard open = ~view.seen & ~known_.occupied() & (occupied | ~empty);
    while (open) {
        const int square = take_first(open);
        open_.push_back({square, (occupied & bit(square)) != 0});
    }
}

// Whether a piece of this kind may stand on an open square.
bool Filler::fits(const OpenSquare& open, int kind) const {
    if (kind == a_pawn) return !(bit(open.square) & (rank(0) | rank(7)));
    if (kind == a_light_bishop) return (light_squares & bit(open.square)) != 0;
    if (kind == a_dark_bishop) return (light_squares & bit(open.square)) == 0;
    return true;
}

// Counts the ways to fill the open squares from each place on, for each material so far, by dynamic
// programming from the last square back. At the end the other side must have its king.
void Filler::count_ways() {
    const auto states = static_cast<std::size_t>(graph_.size());
    ways_.assign((open_.size() + 1) * states, 0);
    for (std::size_t state = 0; state < states; ++state)
        ways_[open_.size() * states + state] = graph_.state(static_cast<int>(state)).number[a_king];
    for (std::size_t place = open_.size(); place-- > 0;)
        for (std::size_t state = 0; state < states; ++state) {
            const int from = static_cast<int>(state);
            double total = open_[place].must_be_occupied ? 0 : ways(place + 1, from);
            for (int kind = 0; kind < material_kinds; ++kind) {
                const int next = graph_.add(from, kind);
                if (next != MaterialGraph::none && fits(open_[place], kind))
                    total += ways(place + 1, next);
            }
            ways_[place * states + state] = total;
        }
}

// Adds the board with each set of the other side's castling rights (0b0101 are the short ones,
// 0b1010 the long ones) and with each en passant square that is possible.
void Filler::add_variants(const Position& board, std::vector<Position>& out) const {
    const Bitboard own = board.of(them_);
    const Bitboard home = them_ == white ? 1 : bit(56);
    int possible = 0;
    if (board.kings() & own & home << 4) {
        if (board.rooks() & own & home << 7) possible |= own_rights(them_) & 0b0101;
        if (board.rooks() & own & home) possible |= own_rights(them_) & 0b1010;
    }
    std::vector<std::uint8_t> passed = {board.en_passant};
    if (board.side == them_) {
        const Bitboard pushed = board.pawns() & board.of(player_) & rank(player_ == white ? 3 : 4);
        for (Bitboard squares = pushed; squares;) {
            const Bitboard square = bit(take_first(squares));
            const Bitboard behind = ahead(them_, square);
            const bool free = !(board.occupied() & (behind | ahead(them_, behind)));
            if (free && (beside(square) & board.pawns() & own))
                passed.push_back(static_cast<std::uint8_t>(first(behind)));
        }
    }
    for (int rights_subset = possible;; rights_subset = (rights_subset - 1) & possible) {
        for (const std::uint8_t square : passed) {
            Position position = board;
            position.castling |= static_cast<std::uint8_t>(rights_subset);
            position.en_passant = square;
            position.key = compute_key(position);
            out.push_back(position);
        }
        if (rights_subset == 0) return;
    }
}

// Adds the positions of every way to fill the open squares of `position` from a place on, given the
// material so far (`state`); false once there are more than `limit`.
bool Filler::enumerate_from(std::size_t place, int state, Position& position, std::size_t limit,
                            std::vector<Position>& out) const {
    if (place == open_.size()) {
        add_variants(position, out);
        return out.size() <= limit;
    }
    const OpenSquare& open = open_[place];
    if (!open.must_be_occupied && ways(place + 1, state) > 0 &&
        !enumerate_from(place + 1, state, position, limit, out))
        return false;
    for (int kind = 0; kind < material_kinds; ++kind) {
        const int next = graph_.add(state, kind);
        if (next == MaterialGraph::none || !fits(open, kind) || ways(place + 1, next) == 0)
            continue;
        position.put(them_, piece_of(static_cast<MaterialKind>(kind)), bit(open.square));
        const bool more = enumerate_from(place + 1, next, position, limit, out);
        position.clear(bit(open.square));
        if (!more) return false;
    }
    return true;
}

// Lists all positions; false if there are more than `limit`.
bool Filler::enumerate(std::size_t limit, std::vector<Position>& out) const {
    Position position = known_;
    return enumerate_from(0, 0, position, limit, out);
}

// A random board with the open squares filled, all fillings equally likely.
Position Filler::draw(std::mt19937_64& random) const {
    Position position = known_;
    int state = 0;
    for (std::size_t place = 0; place < open_.size(); ++place) {
        const OpenSquare& open = open_[place];
        double left = std::uniform_real_distribution<double>(0, ways(place, state))(random);
        if (!open.must_be_occupied) {
            const double stay = ways(place + 1, state);
            if (left < stay) continue;
            left -= stay;
        }
        int chosen = MaterialGraph::none;
        for (int kind = 0; kind < material_kinds; ++kind) {
            const int next = graph_.add(state, kind);
            if (next == MaterialGraph::none || !fits(open, kind) || ways(place + 1, next) == 0)
                continue;
            chosen = kind;  // the last possible one catches what rounding leaves over
            if (left < ways(place + 1, next)) break;
            left -= ways(place + 1, next);
        }
        if (chosen == MaterialGraph::none) continue;
        position.put(them_, piece_of(static_cast<MaterialKind>(chosen)), bit(open.square));
        state = graph_.add(state, chosen);
    }
    return position;
}

// An upper bound on the number of positions that add_variants makes from one board.
std::size_t Filler::most_variants() const {
    Bitboard maybe = known_.kings() & known_.of(them_);
    if (!maybe)
        for (const OpenSquare& open : open_) maybe |= bit(open.square);
    const std::size_t castling = maybe & (them_ == white ? bit(4) : bit(60)) ? 4 : 1;
    if (known_.side != them_) return castling;
    const Bitboard pushed = known_.pawns() & known_.of(player_) & rank(player_ == white ? 3 : 4);
    return castling * (1 + static_cast<std::size_t>(count(pushed)));
}

// Draws positions uniformly, with repetition: draws a board, then one of `most` numbers, and
// rejects the board if it has fewer variants than that.
std::vector<Position> Filler::sample(std::size_t samples, std::uint64_t seed) const {
    std::mt19937_64 random(seed);
    std::vector<Position> out;
    std::vector<Position> variants;
    const std::size_t most = most_variants();
    while (out.size() < samples) {
        variants.clear();
        add_variants(draw(random), variants);
        const std::size_t pick = std::uniform_int_distribution<std::size_t>(0, most - 1)(random);
        if (pick < variants.size()) out.push_back(variants[pick]);
    }
    return out;
}

}  // namespace

// All positions that give a view, or a uniform sample if there are more than the limit.
Reconstruction reconstruct(const Observation& view, SightRules rules,
                           const ReconstructOptions& options) {
    const Filler filler(view, rules, options.promotions);
    const double arrangements = filler.arrangements();
    if (arrangements == 0)
        throw std::invalid_argument("no position fits this view with so few promotions");
    Reconstruction result{{}, arrangements, true};
    if (arrangements <= static_cast<double>(options.limit) &&
        filler.enumerate(options.limit, result.positions))
        return result;
    result.complete = false;
    result.positions = filler.sample(options.samples, options.seed);
    return result;
}

}  // namespace fogtree::fog_chess
