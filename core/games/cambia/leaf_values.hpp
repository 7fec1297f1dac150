// Leaf values for the search on Cambia: player 0's value by a value network, which assumes that all
// players follow the strategy it was trained with, or an estimate from the cards.
//
// S. McAleer, G. Farina, M. Lanctot, T. Sandholm, "ESCHER: eschewing importance sampling in games
// by computing a history value function to estimate regret", ICLR 2023: a network that sees all
// cards. Deviations: it has seen decisions only, so that before a draw the mean over all cards is
// taken, and before a penalty a card of middling points stands for all; what last refilled the
// stock, which the search does not keep, is left out.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

#include "deep/network.hpp"
#include "games/cambia/encoded_game.hpp"
#include "games/cambia/search_game.hpp"

namespace fogtree::cambia {

// The evaluator of the search on Cambia.
class LeafValues {
public:
    using Edge = search::Edge<Position>;

    // Without a network (null), leaves are valued by their cards.
    LeafValues(const Rules& rules, std::shared_ptr<const deep::Network> network)
        : rules_(rules),
          estimate_(rules),
          search_game_(rules),
          game_(rules),
          network_(std::move(network)) {
        if (!network_) return;
        if (network_->inputs() != game_.shape().history_features || network_->outputs() != 1) {
            throw std::invalid_argument("the value network is for other rules");
        }
    }

    // Player 0's value of one position.
    double evaluate(const Position& position) const {
        float value = 0;
        const std::vector<Edge> alone{{position, 0, 1.0F}};
        evaluate(position, alone, &value);
        return static_cast<double>(value);
    }

    // Writes player 0's values of all children of a leaf. Any number of threads may call it at
    // once.
    void evaluate(const Position& parent, const std::vector<Edge>& edges, float* values) const {
        if (!network_) return estimate_.evaluate(parent, edges, values);
        thread_local Batch batch;
        batch.clear();
        std::fill_n(values, edges.size(), 0.0F);
        for (std::size_t k = 0; k < edges.size(); ++k) ask(edges[k].child, k, 1, values, batch);
        batch.answers.resize(batch.asked.size());
        network_->run(batch.rows, batch.wanted, batch.answers.data(), batch.scratch);
        for (std::size_t i = 0; i < batch.asked.size(); ++i) {
            const auto& [edge, share] = batch.asked[i];
            if (std::isnan(batch.answers[i]))
                throw std::runtime_error("the value network's output is not a number");
            values[edge] += share * std::clamp(batch.answers[i], -1.0F, 1.0F);
        }
    }

private:
    static constexpr double kMiddling = 6.5;  // expected points of an unseen card

    // The questions to the network about the children of one leaf.
    struct Batch {
        deep::SparseRows rows;
        deep::Wanted wanted;
        std::vector<std::pair<std::size_t, float>> asked;  // edge, and its answer's weight there
        std::vector<float> answers;
        std::vector<std::uint8_t> code;
        deep::Network::Scratch scratch;

        void clear() {
            rows.clear();
            wanted.clear();
            asked.clear();
        }
    };

    // Adds `share` times the value of a position to that of an edge: at the end of the game at
    // once, else by a question to the value network in `batch`. Before a draw, the network is asked
    // about each card, weighted by its probability; penalty cards are taken to be middling ones.
    void ask(Position position, std::size_t edge, float share, float* values, Batch& batch) const {
        while (position.phase == Phase::penalty) position.draw_at(rules_, middling(position));
        if (position.over()) {
            values[edge] += share * static_cast<float>(search_game_.payoff(position));
        } else if (position.phase == Phase::draw) {
            std::vector<Edge> cards;
            search_game_.expand(position, cards);
            for (const Edge& card : cards) {
                ask(card.child, edge, share * card.probability, values, batch);
            }
        } else if (!position.by_chance()) {  // before the deal the value is 0
            EncodedGame::State state;
            state.position = position;
            std::memset(state.refilled, 0, sizeof state.refilled);
            batch.code.resize(static_cast<std::size_t>(game_.shape().code_bytes));
            game_.encode_history(state, 0, batch.code.data());
            game_.expand_history(batch.code.data(), batch.rows);
            batch.wanted.action.push_back(0);
            batch.wanted.end_row();
            batch.asked.emplace_back(edge, share);
        }
    }

    // The index in the pool of the card whose points are closest to kMiddling.
    static int middling(const Position& position) {
        int best = 0;
        const auto off = [&](int place) {
            const auto card = static_cast<std::size_t>(position.pool()[place]);
            return std::abs(static_cast<double>(kPoints[card]) - kMiddling);
        };
        for (int place = 1; place < position.pool_size(); ++place) {
            if (off(place) < off(best)) best = place;
        }
        return best;
    }

    Rules rules_;
    CardEstimate estimate_;
    SearchGame search_game_;
    EncodedGame game_;
    std::shared_ptr<const deep::Network> network_;
};

}  // namespace fogtree::cambia
