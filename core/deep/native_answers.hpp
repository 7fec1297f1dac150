// Runs networks on the processor for many suspended walks, in one batch per network.
#pragma once

#include "deep/engine.hpp"

namespace fogtree::deep {

// Collects the questions of walks, and answers them by running the networks.
template <DeepGame Game, class Walk>
class NativeAnswers {
public:
    // One batch for each player's network, and a last one for the value network.
    NativeAnswers(const Game& game, const Networks& networks)
        : game_(game),
          networks_(networks),
          batches_(static_cast<std::size_t>(game.shape().players) + 1) {}

    // Adds a walk's question to the batch of the network that it asks.
    void ask(Walk& walk) {
        const bool value = walk.asks_value();
        Batch& batch =
            batches_[value ? batches_.size() - 1 : static_cast<std::size_t>(walk.player())];
        batch.askers.push_back(&walk);
        if (!value && networks_.players.empty()) return;
        batch.first.push_back(batch.wanted.action.size());
        for (int row = 0; row < walk.rows(); ++row) {
            if (value) {
                game_.expand_history(walk.code(row), batch.rows);
            } else {
                game_.expand(walk.code(row), batch.rows);
            }
            batch.wanted.action.insert(batch.wanted.action.end(), walk.wanted(),
                                       walk.wanted() + walk.count());
            batch.wanted.end_row();
        }
    }

    // Runs the networks on all questions and calls `then(walk, outputs)` for every walk that asked;
    // without networks for players, `outputs` is nullptr, which means a uniform strategy.
    template <class Then>
    void answer(const Then& then) {
        for (std::size_t n = 0; n < batches_.size(); ++n) {
            Batch& batch = batches_[n];
            const bool value = n + 1 == batches_.size();
            const bool known = value || !networks_.players.empty();
            if (known && !batch.askers.empty()) {
                const Network& network = value ? *networks_.value : *networks_.players[n];
                batch.answers.resize(batch.wanted.action.size());
                network.run(batch.rows, batch.wanted, batch.answers.data(), scratch_);
            }
            for (std::size_t i = 0; i < batch.askers.size(); ++i) {
                then(*batch.askers[i], known ? batch.answers.data() + batch.first[i] : nullptr);
            }
            batch.clear();
        }
    }

private:
    // The questions to one network, and the walks that asked.
    struct Batch {
        SparseRows rows;
        Wanted wanted;
        std::vector<Walk*> askers;
        std::vector<std::size_t> first;  // index of each walk's first answer
        std::vector<float> answers;

        void clear() {
            rows.clear();
            wanted.clear();
            askers.clear();
            first.clear();
        }
    };

    const Game& game_;
    const Networks& networks_;
    std::vector<Batch> batches_;  // one per player, then the value network's
    Network::Scratch scratch_;
};

}  // namespace fogtree::deep
