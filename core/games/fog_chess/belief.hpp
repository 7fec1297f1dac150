// The set of all positions that are consistent with what one player saw, and its updates.
//
// Zhang & Sandholm, "General search techniques without common knowledge for imperfect-information
// games, and application to superhuman Fog of War chess" (2025): the set P, kept by enumeration.
// Deviations: beyond a cap the set goes on as a random subset, uniform among the distinct children
// of the positions kept so far, and says so.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/recycling_allocator.hpp"
#include "games/fog_chess/position.hpp"
#include "games/fog_chess/sight.hpp"

namespace fogtree::fog_chess {

// The largest size of a belief, and how it is updated.
struct BeliefOptions {
    std::size_t cap = 2'000'000;  // most positions
    std::uint64_t seed = 0;       // of the choice among more than that
    int threads = 0;              // 0: as many as the machine has
};

// Numbers of positions by square, and by what stands there: 0 nothing, then P N B R Q K and
// p n b r q k.
inline constexpr int square_kinds = 13;
using SquareCounts = std::array<std::array<std::uint64_t, square_kinds>, 64>;

// The number of threads to use for an update of this many positions, at most `wanted` (0: at most
// as many as the machine has).
int threads_for(std::size_t positions, int wanted);

// A set of positions that all give the player the same view.
class Belief {
public:
    // Throws std::invalid_argument if there is no position or the player could tell two apart.
    // `complete` says whether the positions are all that are possible.
    Belief(std::vector<Position> positions, Color player, SightRules rules, BeliefOptions options,
           bool complete = true);

    // The belief after a move of the player's own, or after one of the other side, and the view
    // that the player has then. Throws std::invalid_argument if a complete belief leaves nothing.
    Belief after_own_move(Move move, const Observation& view) const;
    Belief after_other_move(const Observation& view) const;

    // `size` positions drawn without repetition, or all of them in their order if there are not
    // more.
    std::vector<Position> sample(std::size_t size, std::uint64_t seed) const;
    // A sample as a belief of its own, whose cap is `size`: it stays that small after every move.
    Belief reduced(std::size_t size, std::uint64_t seed) const;

    const RecycledVector<Position>& positions() const { return positions_; }
    const Observation& view() const { return view_; }
    Color player() const { return player_; }
    SightRules rules() const { return rules_; }
    // False once the cap forced a choice: then a possible position may be missing.
    bool complete() const { return complete_; }
    bool contains(const Position& position) const;
    // For every square, how many positions have each piece there.
    SquareCounts count_squares() const;

private:
    friend class BeliefStep;
    Belief(const Belief& parent, const Observation& view);

    RecycledVector<Position> positions_;
    Observation view_{};
    SightRules rules_;
    BeliefOptions options_;
    std::uint64_t ply_ = 0;  // updates since the first belief
    double repeats_ = 1;     // mean number of positions that lead to the same child, estimated at
                             // the other side's last move
    Color player_;
    bool complete_ = true;
};

}  // namespace fogtree::fog_chess
