// The interface of traversals: on the processor alone, or with networks that run elsewhere.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "common/interruption.hpp"
#include "common/random.hpp"
#include "deep/network.hpp"
#include "deep/options.hpp"
#include "deep/sample_batch.hpp"
#include "deep/sample_filter.hpp"

namespace fogtree::deep {

// The outputs of a value network for a history: one value per action, or one for the history.
enum class ValueForm : std::uint8_t { none, actions, histories };

// Which traversals to make. Equal tasks give equal samples, whatever the number of threads.
struct Task {
    int traverser = 0;  // the player whose regrets are sampled
    std::int64_t traversals = 0;
    std::uint64_t iteration = 0;  // of the training; with the seed it chooses the random streams
    std::uint64_t seed = 0;
    int threads = 1;
    KeepProbabilities shares = {};
    std::size_t most_bytes = 0;  // limit on the memory of samples; 0: no limit
};

// One network per player (may repeat), or none for uniform strategies. `value` may be null.
struct Networks {
    std::vector<std::shared_ptr<const Network>> players;
    std::shared_ptr<const Network> value;

    // What the value network gives: one value per history, or one per action.
    ValueForm form() const {
        return !value                  ? ValueForm::none
               : value->outputs() == 1 ? ValueForm::histories
                                       : ValueForm::actions;
    }
};

// Numbers of rows in one thread's section of a batch: its size, which is the same for every batch
// of a session, or the part in use.
struct BatchSizes {
    std::size_t rows = 0;          // codes, one per walk
    std::size_t wanted = 0;        // outputs wanted for codes
    std::size_t value_rows = 0;    // histories
    std::size_t value_wanted = 0;  // outputs wanted for histories
};

// The questions of a group of walks: arrays of a fixed size, one section per thread. Unused rows
// hold data of earlier batches.
struct Questions {
    std::vector<std::uint8_t> codes;
    std::vector<std::uint8_t> players;  // whose network each code is for
    std::vector<std::uint16_t> wanted;  // pairs: a row of the section, an output
    std::vector<std::uint8_t> history_codes;
    std::vector<std::uint16_t> value_wanted;
    std::size_t asked = 0;  // rows in use
    BatchSizes fullest;     // the largest part of a section that any thread uses
};

// The wanted outputs of the networks, in the same order; the unused ends of sections may be cut
// off.
struct Answers {
    const float* strategies = nullptr;
    const float* values = nullptr;
    std::size_t strategy_count = 0;
    std::size_t value_count = 0;
};

// The networks for the last walks of a session, for which a batch is not worthwhile.
struct Finish {
    Networks networks;
    std::size_t walks = 0;  // used from this many walks per thread and group on; 0: never
};

// Traversals whose networks run elsewhere.
class Session {
public:
    virtual ~Session() = default;
    virtual const Questions& collect(std::size_t group) = 0;  // waits until the group has asked
    virtual void resume(std::size_t group, const Answers& answers) = 0;  // must outlive `collect`
    virtual const BatchSizes& sizes() const = 0;                         // of one thread's section
    virtual CollectedSamples finish() = 0;  // once, after all groups have no more questions
};

// The engine of one game, behind an interface that names no game.
class Engine {
public:
    virtual ~Engine() = default;
    virtual const Shape& shape() const = 0;
    // Decodes a decision as its mover sees it, and adds its network inputs as a row.
    virtual void expand(const std::uint8_t* code, SparseRows& rows) const = 0;
    // The same for the code of a history, with nothing hidden: inputs of a value network.
    virtual void expand_history(const std::uint8_t* code, SparseRows& rows) const = 0;
    // Runs all traversals of a task with networks on the processor, and returns their samples.
    virtual CollectedSamples traverse(const Options& options, const Networks& networks,
                                      const Task& task, Interruption& interruption) const = 0;
    // Begins traversals whose networks run elsewhere: `groups` of `walks` walks each.
    virtual std::unique_ptr<Session> begin(const Options& options, ValueForm form, const Task& task,
                                           int groups, int walks, const Finish& finish) const = 0;
};

// The random stream of one traversal, which its task, traverser and number determine.
inline CounterRandom stream(const Task& task, int players, std::int64_t traversal) {
    const auto batch = task.iteration * static_cast<std::uint64_t>(players) +
                       static_cast<std::uint64_t>(task.traverser);
    return CounterRandom(task.seed, batch, static_cast<std::uint64_t>(traversal));
}

// The filter that decides which decisions of a traversal become samples. Its random stream is
// another than the traversal's: the seed's bits are inverted.
inline SampleFilter filter_for(const Task& task, int players, std::int64_t traversal) {
    Task other = task;
    other.seed = ~task.seed;
    return SampleFilter(task.shares, stream(other, players, traversal));
}

// Rounds of answers between two checks of the memory that a thread's samples use.
inline constexpr int kRoundsPerLook = 64;

// The memory in bytes of the samples that these walks hold.
template <class Walks>
std::size_t sample_bytes(const Walks& walks) {
    std::size_t bytes = 0;
    for (const auto& walk : walks) bytes += walk.samples.bytes();
    return bytes;
}

// Throws if a thread's samples take up more than its share of the memory. Growing arrays may have
// reserved twice the memory in use.
inline void check_memory(const Task& task, std::size_t bytes) {
    const std::size_t share = task.most_bytes / static_cast<std::size_t>(task.threads);
    if (task.most_bytes > 0 && 2 * bytes > share) throw TooManySamples();
}

// Throw std::invalid_argument if options, networks and task do not fit each other and the game.
void check(const Shape& shape, const Options& options, ValueForm form, const Task& task);
void check(const Shape& shape, const Options& options, const Networks& networks, const Task& task);
void check(const Shape& shape, const Options& options, ValueForm form, const Task& task,
           const Finish& finish);

}  // namespace fogtree::deep
