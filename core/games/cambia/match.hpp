// Whole games of Cambia between networks and scripts, many at a time.
#pragma once

#include "common/interruption.hpp"
#include "deep/engine.hpp"
#include "games/cambia/encoded_game.hpp"
#include "games/cambia/scripts.hpp"

namespace fogtree::cambia {

// A player of a match: a script or, if there are any, strategies of which one is drawn for every
// game by its weight. A strategy has a network for each seat, or one for all seats.
struct Contestant {
    Script script = Script::random;
    std::vector<std::vector<std::shared_ptr<const deep::Network>>> strategies;
    std::vector<double> weights;    // one for each strategy
    bool uniform_fallback = false;  // where no advantage is positive: uniform, not the best action
    bool softmax = false;           // outputs are logits; else advantages for regret matching
};

// The result of a match, counted for the first contestant.
struct MatchScore {
    std::int64_t wins = 0;
    std::int64_t draws = 0;
    std::int64_t losses = 0;
    double gains = 0;            // sum of the first contestant's payoffs
    std::int64_t turns = 0;      // of all games together
    std::int64_t decisions = 0;  // of both contestants in all games
};

// Plays `games` games. The first contestant takes every seat in turn with the same random numbers
// for chance, the second contestant all other seats.
MatchScore play_match(const EncodedGame& game, const Contestant& first, const Contestant& second,
                      std::int64_t games, std::uint64_t seed, int threads,
                      Interruption& interruption);

}  // namespace fogtree::cambia
