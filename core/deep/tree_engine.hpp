// A compiled tree behind the engine's interface.
#pragma once

#include "engine.hpp"
#include "tree_game.hpp"

namespace fogtree::deep {

class TreeEngine : public Engine {
public:
    TreeEngine(const FlatTree& tree, InputTable features, const std::vector<std::int32_t>& actions,
               int action_count, InputTable history)
        : game_(tree, std::move(features), actions, action_count, std::move(history)) {}

    const TreeGame& game() const { return game_; }
    const Shape& shape() const override { return game_.shape(); }
    void expand(const std::uint8_t* code, SparseRows& rows) const override {
        game_.expand(code, rows);
    }
    void expand_history(const std::uint8_t* code, SparseRows& rows) const override {
        game_.expand_history(code, rows);
    }
    Gathered traverse(const Options& options, const Networks& networks,
                      const Task& task) const override;
    std::unique_ptr<Session> begin(const Options& options, ValueForm form, const Task& task,
                                   int groups, int lanes, const Finish& finish) const override;

    // The exact mean of what a traversal brings back: sums of weight times number, by slot.
    struct Expectation {
        std::vector<double> regret;
        std::vector<double> strategy;
        std::vector<double> visits;  // by information set: how often its regrets come, unweighted
        double value = 0;
        double probability = 0;
        std::int64_t walks = 0;
    };
    Expectation expectation(const Options& options, const Networks& networks, int traverser) const;

private:
    TreeGame game_;
};

}  // namespace fogtree::deep
