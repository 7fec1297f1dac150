// The interface of a game with a native simulator.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sampling/trainer.hpp"
#include "tree/flat_tree.hpp"

namespace fogtree {

// A game that can be sampled without being compiled.
class SimulatedGame {
public:
    virtual ~SimulatedGame() = default;

    // A trainer that samples this game.
    virtual std::unique_ptr<Trainer<double>> trainer(const SamplingPlan& plan) const = 0;

    // The number of the game's histories, counted up to `most`.
    virtual std::uint64_t histories(std::uint64_t most) const = 0;

    // The key of every information set of a compiled tree of the same game. Throws
    // std::invalid_argument where simulator and tree differ in any way. Under an abstraction
    // several information sets may have one key.
    virtual std::vector<std::uint64_t> keys_of(const FlatTree& tree) const = 0;

    // The key of the mover's information set after these steps from the root, each the index of a
    // child. Throws std::invalid_argument if nobody decides there.
    virtual std::uint64_t key_after(const std::vector<int>& steps) const = 0;
};

}  // namespace fogtree
