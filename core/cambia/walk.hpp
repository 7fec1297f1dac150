// Random games and external sampling under the uniform strategy, as fast as the rules go.
#pragma once

#include <cstdint>

#include "position.hpp"

namespace fogtree::cambia {

// D. Blackman, S. Vigna, "Scrambled linear pseudorandom number generators", ACM Transactions on
// Mathematical Software 47 (2021): xoroshiro64*, seeded by splitmix64.
// Deviations: `below` scales by multiplication without rejection; its bias is under 2^-25 here.
class Random {
public:
    explicit Random(std::uint64_t seed);
    int below(int count) {
        return static_cast<int>(
            static_cast<std::uint64_t>(next()) * static_cast<std::uint64_t>(count) >> 32);
    }

private:
    std::uint32_t next() {
        const std::uint32_t result = a_ * 0x9E3779BBu;
        b_ ^= a_;
        a_ = (a_ << 26 | a_ >> 6) ^ b_ ^ b_ << 9;
        b_ = b_ << 13 | b_ >> 19;
        return result;
    }
    std::uint32_t a_, b_;
};

struct Tally {
    std::int64_t games = 0;
    std::int64_t actions = 0;  // decisions taken
    std::int64_t turns = 0;
    std::int64_t deadlocks = 0;  // games that stopped for want of a legal action
    double first_returns = 0;    // what player 0 got, summed
};

Tally random_games(const Rules& rules, std::int64_t games, std::uint64_t seed);

struct Traversal {
    std::int64_t nodes = 0;  // decisions and endings visited
    double value = 0;        // mean estimate of the traverser's value
};

// M. Lanctot et al., "Monte Carlo sampling for regret minimization in extensive games", NIPS 2009:
// every action of the traverser is explored, everybody else and chance are sampled.
// Deviations: the strategy is uniform and nothing is learnt; players traverse in turn.
Traversal external_sampling(const Rules& rules, std::int64_t traversals, std::uint64_t seed);

}  // namespace fogtree::cambia
