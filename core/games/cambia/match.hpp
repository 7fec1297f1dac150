// Whole games of Cambia between networks and scripts, many at a time.
#pragma once

#include "common/interruption.hpp"
#include "deep/engine.hpp"
#include "games/cambia/encoded_game.hpp"
#include "games/cambia/scripts.hpp"

namespace fogtree::cambia {

// A script, or strategies of which one is drawn for every game: a network for each seat, or one for
// all seats.
struct Contestant {
    Script script = Script::random;
    std::vector<std::vector<std::shared_ptr<const deep::Network>>> strategies;
    std::vector<double> weights;
    bool uniform_fallback = false;
    bool softmax = false;
};

// The result of a match, counted for the first contestant.
struct MatchScore {
    std::int64_t wins = 0;
    std::int64_t draws = 0;
    std::int64_t losses = 0;
    double gains = 0;  // sum of the first contestant's payoffs
    std::int64_t turns = 0;
    std::int64_t decisions = 0;
};

// The first contestant takes every seat in turn on the same deal, the second all others.
MatchScore play_match(const EncodedGame& game, const Contestant& first, const Contestant& second,
                      std::int64_t games, std::uint64_t seed, int threads,
                      Interruption& interruption);

}  // namespace fogtree::cambia
