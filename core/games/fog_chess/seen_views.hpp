// A player's views since the last irreversible move, to count how often a position may have
// occurred.
//
// A player does not know the true positions of the past, but a position can only have occurred
// where the player's view was the one that it gives. Counting equal views therefore never counts
// too few; it counts too many if hidden pieces stood elsewhere.
#pragma once

#include <algorithm>
#include <vector>

#include "games/fog_chess/kernel.hpp"
#include "games/fog_chess/sight.hpp"

namespace fogtree::fog_chess {

// One player's views since the last irreversible step.
class SeenViews {
public:
    explicit SeenViews(SightRules rules) : rules_(rules) {}

    // Adds the player's view after a ply; forgets the earlier ones if the ply was irreversible.
    void add(const Observation& view) {
        if (!views_.empty() && irreversible(views_.back(), view)) {
            views_.clear();
            own_.clear();
        }
        views_.push_back(view);
        own_.push_back(own(view));
    }

    // How often the latest view occurred before, since the last irreversible move.
    int repeats() const {
        if (views_.empty()) return 0;
        return static_cast<int>(std::count(views_.begin(), views_.end() - 1, views_.back()));
    }

    // How often a position may have occurred before the latest view: the number of earlier views
    // that equal the view it gives. Own pieces are compared first, which is faster.
    int repeats(const Position& position) const {
        if (views_.empty()) return 0;
        const auto player = static_cast<Color>(views_.back().player);
        const Bitboard pieces = position.of(player);
        int count = 0;
        for (std::size_t i = 0; i + 1 < views_.size(); ++i) {
            if (own_[i] != pieces) continue;
            const Observation& view = views_[i];
            if (view.side != position.side || !same_pieces(view, position, pieces)) continue;
            const Sight sight = kernel().sight(position, player, rules_);
            count += observe(position, player, sight) == view;
        }
        return count;
    }

private:
    // The squares of the viewer's own pieces.
    static Bitboard own(const Observation& view) {
        const Bitboard pieces = view.plane[0] | view.plane[1] | view.plane[2];
        return view.player == white ? view.white_pieces : pieces & ~view.white_pieces;
    }

    // Whether a view and a position have the same pieces on these squares.
    static bool same_pieces(const Observation& view, const Position& position, Bitboard squares) {
        for (int bit = 0; bit < 3; ++bit)
            if ((view.plane[bit] & squares) != (position.plane[bit] & squares)) return false;
        return true;
    }

    // Whether the player can tell that no earlier position can come again: an own pawn moved, an
    // own piece was taken, or an own piece took one that was seen.
    static bool irreversible(const Observation& before, const Observation& after) {
        const Bitboard pieces = before.plane[0] | before.plane[1] | before.plane[2];
        const Bitboard was = own(before), is = own(after);
        const auto pawns = [](const Observation& view) {
            return view.plane[0] & ~(view.plane[1] | view.plane[2]);
        };
        return (pawns(before) & was) != (pawns(after) & is) || count(was) != count(is) ||
               (is & pieces & ~was) != 0;
    }

    SightRules rules_;
    std::vector<Observation> views_;
    std::vector<Bitboard> own_;  // where the player's pieces stood in each of them
};

}  // namespace fogtree::fog_chess
