// The settings of a search; every technique can be switched off alone.
#pragma once

#include <cmath>
#include <cstdint>
#include <stdexcept>

namespace fogtree::search {

// How regrets become the next strategy.
enum class Minimizer : std::uint8_t { pcfr_plus, cfr_plus };
// Which strategy is the result: of the last iteration, or the average of all.
enum class Answer : std::uint8_t { last, average };
// The first strategy of a new information set: the best action by the evaluator, a mix in
// proportion to the values above the lowest, or uniform.
enum class Start : std::uint8_t { best, proportional, uniform };
// How an expander chooses actions where it explores: Expander::by_bound or by_policy.
enum class Exploration : std::uint8_t { puct, policy };
// Which actions are played (purify() in decision.hpp): those that stayed in the support, the
// likeliest alone, or all.
enum class Purification : std::uint8_t { stable, argmax, none };

// The settings of one search.
struct Options {
    std::int32_t knowledge = 2;  // order k of the knowledge kept; 0 stands for infinity
    bool frozen = false;        // keep the strategies of our information sets other than the actual
    std::int32_t sample = 256;  // positions of the belief in the subgame, at least, if it has them
    bool gifts = true;          // subtract the opponent's earlier mistakes from alternate values
    bool uniform_prior = false;  // Resolve's prior ignores the old strategy
    bool resolve = true;         // the gadget's two parts; without both the prior decides
    bool maxmargin = true;
    double tolerance = 1e-3;  // Resolve enters only for more than this, in values from -1 to 1
    Minimizer minimizer = Minimizer::pcfr_plus;
    bool pruning = true;  // skip subtrees that the other player never reaches
    Answer answer = Answer::last;
    Start start = Start::best;
    Exploration exploration = Exploration::puct;
    double exploration_constant = 1.0;
    bool two_sided = false;  // both players explore on every walk, not one in turn
    bool focus = false;      // explore for us only from positions that are possible
    Purification purification = Purification::stable;
    std::int32_t most_actions = 3;              // that a purified strategy may keep
    std::int32_t iterations_per_expansion = 0;  // with one thread; 0: divides the time by `solving`
    double solving = 0.5;                       // the solver's share of the time of one thread
    std::int64_t most_nodes = 0;                // 0: no bound
    std::int64_t most_carried = 200000;         // nodes from one search to the next; 0: no bound
    std::int32_t most_roots = 1024;             // positions to begin with; 0: no bound
    std::int64_t most_bytes = 0;                // old and new tree together; 0: no bound
    std::uint64_t seed = 0;
};

// Throws std::invalid_argument for numbers with which a search would never end, or compute nothing.
inline void check(const Options& options) {
    const auto fits = [](double number) { return std::isfinite(number) && number >= 0; };
    if (!fits(options.tolerance) || !fits(options.exploration_constant) || options.sample < 1 ||
        options.most_actions < 1 || options.knowledge < 0 || options.iterations_per_expansion < 0 ||
        options.most_nodes < 0 || options.most_carried < 0 || options.most_roots < 0 ||
        options.most_bytes < 0) {
        throw std::invalid_argument("a search option is out of range");
    }
    if (!(options.solving > 0 && options.solving < 1))
        throw std::invalid_argument("the solver's share must be between 0 and 1");
}

// The parts of the bound most_bytes: two thirds for the growing tree, and one third for what is
// carried over into the next tree while both exist.
inline std::size_t grown_bytes(const Options& options) {
    return static_cast<std::size_t>(options.most_bytes) / 3 * 2;
}
inline std::size_t carried_bytes(const Options& options) {
    return static_cast<std::size_t>(options.most_bytes) / 3;
}

}  // namespace fogtree::search
