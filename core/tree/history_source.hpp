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
    std::shared_ptr<const void> state;  // the game's state, of a type that only the source knows
    std::uint64_t key = 0;              // a hash of the actions that lead here
    std::uint64_t views[2] = {0, 0};    // a hash of what each player remembers
    double payoff = 0;                  // at the end: player 0's
    double probability = 1;             // of the chance outcome that led here
    std::int32_t action = -1;           // the number of the action that led here
    std::int8_t player = kTerminal;     // who moves; kChance, kTerminal

    // The rest changes while the game is searched.
    mutable bool kept = false;       // a mark of HistoryGame::keep_only
    mutable std::int32_t count = 0;  // of children
    mutable std::unique_ptr<History[]> owned;
    mutable std::atomic<const History*> children{nullptr};  // set once `owned` and `count` are
    mutable std::atomic<double> value{std::numeric_limits<double>::quiet_NaN()};  // NaN: unknown
};

// The rules of a two-player zero-sum game.
class HistorySource {
public:
    virtual ~HistorySource() = default;
    // Fills the first history of the game: its state, views, player and payoff.
    virtual void begin(History& root) const = 0;
    // Makes the `count` children of a history, in the order of their actions; the caller sets their
    // parent, key and action.
    virtual std::unique_ptr<History[]> children(const History& of, std::int32_t& count) const = 0;
    // Player 0's payoff at the end of a random game from a history. Adds the number of its moves to
    // `steps`.
    virtual double playout(const History& from, SplitMix64& random, std::int64_t& steps) const = 0;
    // The text of the action that led to a history.
    virtual std::string label(const History& child) const = 0;
    // Whether information sets have names.
    virtual bool has_names() const { return false; }
    // The name of the mover's information set at a decision.
    virtual std::string name(const History&) const { return {}; }
    // Frees histories; a source whose states need a lock for that overrides it.
    virtual void free(std::unique_ptr<History[]> histories) const { histories.reset(); }
    // An estimate of the bytes that the state of a history takes.
    virtual std::size_t bytes() const = 0;
};

}  // namespace fogtree
