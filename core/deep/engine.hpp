// Traversals by the thousand: on the processor alone, or in two halves around an accelerator.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "network.hpp"
#include "options.hpp"
#include "samples.hpp"

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

// A game as the rest of the core sees it.
class Engine {
public:
    virtual ~Engine() = default;
    virtual const Shape& shape() const = 0;
    virtual void expand(const std::uint8_t* code, SparseRows& rows) const = 0;
    virtual void expand_history(const std::uint8_t* code, SparseRows& rows) const = 0;
    virtual Samples traverse(const Options& options, const Networks& networks,
                             const Task& task) const = 0;
};

void check(const Shape& shape, const Options& options, const Networks& networks, const Task& task);

}  // namespace fogtree::deep
