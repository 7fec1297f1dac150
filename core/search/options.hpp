// Every choice of the search, each with a name so that it can be switched off alone.
#pragma once

#include <cstdint>

namespace fogtree::search {

enum class Minimizer : std::uint8_t { pcfr_plus, cfr_plus };
enum class Answer : std::uint8_t { last, average };
enum class Start : std::uint8_t { best, proportional, uniform };
enum class Exploration : std::uint8_t { puct, policy };
enum class Purification : std::uint8_t { stable, argmax, none };

struct Options {
    std::int32_t knowledge = 2;  // order k of the knowledge kept; 0 stands for infinity
    bool frozen = false;         // own information sets off the actual one: nothing is learnt there
    std::int32_t sample = 256;   // positions of P in the subgame at the least
    bool gifts = true;           // subtract what the opponent gave away from alternate values
    bool uniform_prior = false;  // Resolve's prior ignores the old strategy
    bool resolve = true;         // the gadget's two halves; with neither the prior alone rules
    bool maxmargin = true;
    double tolerance = 1e-3;  // Resolve enters only for more than this, in values from -1 to 1
    Minimizer minimizer = Minimizer::pcfr_plus;
    bool pruning = true;  // what the other player's strategy never leads to is not walked
    Answer answer = Answer::last;
    Start start = Start::best;
    Exploration exploration = Exploration::puct;
    double exploration_constant = 1.0;
    bool two_sided = false;  // expand for both players at once
    bool focus = false;      // we explore from where we may be only
    Purification purification = Purification::stable;
    std::int32_t most_actions = 3;              // that a purified mix may keep
    std::int32_t iterations_per_expansion = 0;  // one thread: 0 shares it out by `solving`
    double solving = 0.5;                       // the solver's share of one thread
    std::int64_t most_nodes = 0;                // 0: no bound
    std::int64_t most_carried = 200000;         // nodes from one search to the next; 0: no bound
    std::int32_t most_roots = 1024;             // positions to begin with; 0: no bound
    std::int64_t most_bytes = 0;                // old and new tree together; 0: no bound
    std::uint64_t seed = 0;
};

// Of a memory bound: what a tree may grow to, and what may be carried over into the next one while
// both are there.
inline std::size_t grown_bytes(const Options& options) {
    return static_cast<std::size_t>(options.most_bytes) / 3 * 2;
}
inline std::size_t carried_bytes(const Options& options) {
    return static_cast<std::size_t>(options.most_bytes) / 3;
}

}  // namespace fogtree::search
