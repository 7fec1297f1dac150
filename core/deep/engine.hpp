// Traversals by the thousand: on the processor alone, or in two halves around an accelerator.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "harvest.hpp"
#include "network.hpp"
#include "options.hpp"

namespace fogtree::deep {

// What a value network says of a history: one number for each action, or one for itself.
enum class ValueForm : std::uint8_t { none, actions, histories };

// Which traversals to make. Equal tasks give equal samples, whatever the number of threads.
struct Task {
    int traverser = 0;
    std::int64_t traversals = 0;
    std::uint64_t iteration = 0;
    std::uint64_t seed = 0;
    int threads = 1;
};

// One per player (may repeat); none: everybody plays uniformly. `value` may be null.
struct Networks {
    std::vector<std::shared_ptr<const Network>> players;
    std::shared_ptr<const Network> value;

    ValueForm form() const {
        return !value                  ? ValueForm::none
               : value->outputs() == 1 ? ValueForm::histories
                                       : ValueForm::actions;
    }
};

// What a group of lanes asks: rows of codes, those of player 0's network first.
struct Questions {
    std::vector<std::uint8_t> codes;
    std::vector<std::uint8_t> history_codes;
    std::vector<std::size_t> player_rows;  // of `codes`, by player
    std::size_t strategy_rows = 0;
    std::size_t value_rows = 0;
};

// The networks' outputs in the same order; there may be more rows than were asked.
struct Answers {
    const void* strategies = nullptr;  // floats, or halves: 16 bits
    const void* values = nullptr;
    bool halves = false;
    std::size_t strategy_rows = 0;
    std::size_t value_rows = 0;
    int strategy_width = 0;
    int value_width = 0;
};

// Traversals whose networks run elsewhere.
class Session {
public:
    virtual ~Session() = default;
    virtual const Questions& collect(std::size_t group) = 0;  // waits until the group has asked
    virtual void resume(std::size_t group, const Answers& answers) = 0;  // must outlive `collect`
    virtual SampleTables finish() = 0;  // after all groups have no more questions
};

// A game as the rest of the core sees it.
class Engine {
public:
    virtual ~Engine() = default;
    virtual const Shape& shape() const = 0;
    virtual void expand(const std::uint8_t* code, SparseRows& rows) const = 0;
    virtual void expand_history(const std::uint8_t* code, SparseRows& rows) const = 0;
    virtual SampleTables traverse(const Options& options, const Networks& networks,
                                  const Task& task) const = 0;
    virtual std::unique_ptr<Session> begin(const Options& options, ValueForm form, const Task& task,
                                           int groups, int lanes) const = 0;
};

// Every traversal has its own source of chance.
inline Random stream(const Task& task, int players, std::int64_t traversal) {
    const auto batch = task.iteration * static_cast<std::uint64_t>(players) +
                       static_cast<std::uint64_t>(task.traverser);
    return Random(task.seed, batch, static_cast<std::uint64_t>(traversal));
}

void check(const Shape& shape, const Options& options, ValueForm form, const Task& task);
void check(const Shape& shape, const Options& options, const Networks& networks, const Task& task);

}  // namespace fogtree::deep
