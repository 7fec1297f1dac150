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
    bool frozen = false;         // own information sets off the actual path keep their strategy
    std::int32_t sample = 256;   // positions of P in the subgame at the least
    bool gifts = true;           // subtract what the opponent gave away from alternate values
    bool uniform_prior = false;  // Resolve's prior ignores the old strategy
    bool resolve = true;         // the gadget's two halves; with neither the prior alone rules
    bool maxmargin = true;
    double tolerance = 1e-3;  // Resolve enters only for more than this, in values from -1 to 1
    Minimizer minimizer = Minimizer::pcfr_plus;
    Answer answer = Answer::last;
    Start start = Start::best;
    Exploration exploration = Exploration::puct;
    double exploration_constant = 1.0;
    bool two_sided = false;  // expand for both players at once
    Purification purification = Purification::stable;
    std::int32_t most_actions = 3;              // that a purified mix may keep
    std::int32_t iterations_per_expansion = 0;  // one thread: 0 balances the work of both
    std::int64_t most_nodes = 0;                // 0: no bound
    std::uint64_t seed = 0;
};

}  // namespace fogtree::search
