// Expands the whole tree of a small game with given strategies of both players.
#pragma once

#include <cstdint>

#include "search/expander.hpp"
#include "search/solver.hpp"
#include "search/subgame.hpp"

namespace fogtree::search {

// Gives the tree of a subgame, from its root positions to the end of the game, a blueprint:
// `mix(state, action)` is the probability of an action at a decision. `me`: the player who
// searches.
template <class Game, class Evaluator, class Mix>
class Blueprint {
public:
    using State = typename Game::State;
    using N = Node<State>;

    Blueprint(const Game& game, Evaluator& evaluator, Subgame<Game>& subgame,
              const Options& options, int me, Mix mix)
        : expander_(game, evaluator, subgame, options, me, 0),
          subgame_(subgame),
          options_(options),
          me_(me),
          mix_(mix) {}

    // Expands the whole tree, gives every information set the blueprint's mix, and computes the
    // values of all information sets under it.
    void lay() {
        for (std::size_t j = 0; j < subgame_.gadget.choices.size(); ++j) {
            for (N* node : subgame_.gadget.choices[j].nodes) {
                Infoset* last[2] = {nullptr, nullptr};
                std::int32_t action[2] = {-1, -1};
                last[1 - me_] = subgame_.root;
                action[1 - me_] = static_cast<std::int32_t>(j);
                open(*node, nullptr, last, action);
            }
        }
        // One iteration in which nothing is learnt gives every information set its values.
        Solver<State> solver(subgame_.gadget, subgame_.root, options_, me_);
        solver.iterate();
        for (Infoset* set : met_) set->fixed = false;
    }

private:
    // Expands a node and everything below it, and sets the strategies there. `leaf`: where the
    // parent keeps the node's value (null at the root); `last` and `action`: each player's last
    // information set above the node, and the number of the action taken there.
    void open(N& node, Relaxed<float>* leaf, Infoset* const (&last)[2],
              const std::int32_t (&action)[2]) {
        if (node.player == kTerminal) return;
        path_.push_back(&node.state);
        if (!node.expanded()) expander_.expand(node, path_, leaf, last, action);
        Infoset* below[2] = {last[0], last[1]};
        std::int32_t step[2] = {action[0], action[1]};
        if (node.player >= 0) {
            Infoset& set = *node.infoset;
            if (!set.fixed) {
                set.fixed = true;
                met_.push_back(&set);
                for (std::int32_t a = 0; a < set.count; ++a) {
                    set[a].strategy = static_cast<float>(mix_(node.state, set[a].action));
                }
            }
            below[node.player] = &set;
        }
        for (std::int32_t k = 0; k < node.count; ++k) {
            if (node.player >= 0) step[node.player] = k;
            open(node.children[k], node.leaves() + k, below, step);
        }
        path_.pop_back();
    }

    Expander<Game, Evaluator> expander_;
    Subgame<Game>& subgame_;
    const Options& options_;
    int me_;
    Mix mix_;
    std::vector<Infoset*> met_;       // those that have their strategy
    std::vector<const State*> path_;  // from the root to the node being opened
};

}  // namespace fogtree::search
