// The rules of a two-player zero-sum game as a source of histories, for games that are not
// compiled.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include "common/random.hpp"
#include "tree/flat_tree.hpp"

namespace fogtree {

// One history, with the histories that follow from it as far as they have been made.
struct History {
    const History* parent = nullptr;
    std::shared_ptr<const void> state;  // the source's
    std::uint64_t key = 0;              // a hash of the actions that lead here
    std::uint64_t views[2] = {0, 0};    // what each player remembers
    double payoff = 0;                  // at the end: player 0's
    double probability = 1;             // of the chance outcome that led here
    std::int32_t action = -1;           // the number of the action that led here
    std::int8_t player = kTerminal;

    // The rest changes while the game is searched.
    mutable bool kept = false;
    mutable std::int32_t count = 0;
    mutable std::unique_ptr<History[]> owned;
    mutable std::atomic<const History*> children{nullptr};  // set once `owned` and `count` are
    mutable std::atomic<double> value{std::numeric_limits<double>::quiet_NaN()};  // or unknown
};

// The rules of a two-player zero-sum game.
class HistorySource {
public:
    virtual ~HistorySource() = default;
    virtual void begin(History& root) const = 0;
    // Everything but parent, key and action of the children, in the order of their actions.
    virtual std::unique_ptr<History[]> children(const History& of, std::int32_t& count) const = 0;
    // Player 0's payoff at the end of a random game from here. Adds its moves to `steps`.
    virtual double playout(const History& from, SplitMix64& random, std::int64_t& steps) const = 0;
    // The text of the action that led to a history.
    virtual std::string label(const History& child) const = 0;
    // Whether information sets are known by their names, and the name of a decision's one.
    virtual bool has_names() const { return false; }
    virtual std::string name(const History&) const { return {}; }
    virtual void free(std::unique_ptr<History[]> histories) const { histories.reset(); }
    // Memory of a history with its state, by estimate.
    virtual std::size_t bytes() const = 0;
};

}  // namespace fogtree
