// The rules of liar's dice for samplers and for compiling, with the order of actions of the game in
// Python.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/hash.hpp"
#include "sampling/simulator.hpp"
#include "tree/enumerable_game.hpp"

namespace fogtree::liars_dice {

// The rules; a state can be copied and stepped forward.
class LiarsDice {
public:
    static constexpr int kMostPlayers = 2;

    struct State {
        std::uint64_t history = 0;                 // hash of the bids
        std::array<std::int16_t, 2> roll{-1, -1};  // each player's, by its number; -1: not yet
        std::int16_t last = -1;                    // the last bid; -1: none
        std::int8_t bids = 0;                      // number of bids made
        std::int8_t player = kChance;              // who moves
    };

    // Lists all rolls that can be told apart: by how many dice show each face.
    LiarsDice(int dice, int sides) : dice_(dice), sides_(sides) {
        if (dice < 1 || dice > 5 || sides < 2 || sides > 9) {
            throw std::invalid_argument("liars_dice has 1 to 5 dice of 2 to 9 sides");
        }
        std::vector<int> faces(static_cast<std::size_t>(dice), 0);
        roll_from(faces, 0, 0);
    }

    int players() const { return 2; }
    // The number of different rolls of one player.
    int rolls() const { return static_cast<int>(faces_.size()); }
    // How many dice of a roll show a face, numbered from 0.
    int showing(int roll, int face) const {
        return faces_[static_cast<std::size_t>(roll)][static_cast<std::size_t>(face)];
    }
    // Before the first roll.
    State root() const { return {}; }
    // Who moves; kChance, or kTerminal at the end.
    int player(const State& state) const { return state.player; }

    // The number of legal actions: the higher bids and, after any bid, the call.
    int actions(const State& state) const {
        return state.last < 0 ? all_bids() : all_bids() - state.last;
    }

    // The key of the mover's information set.
    std::uint64_t key(const State& state) const {
        return key_of(state.player, state.roll[static_cast<std::size_t>(state.player)],
                      state.history);
    }
    // The key of an information set, from the own roll's number and the hash of the bids.
    static std::uint64_t key_of(int player, int roll, std::uint64_t history) {
        const auto own = static_cast<std::uint64_t>(roll * 2 + player + 1);
        return mix64(history + own * kGoldenRatio);
    }
    // The hash of the bids after one more.
    static std::uint64_t after_bid(std::uint64_t history, int bid) {
        return mix64(history + static_cast<std::uint64_t>(bid) + 1);
    }

    // Makes the n-th legal bid, or calls the last one a lie.
    void step(State& state, int action) const {
        const int bid = state.last + 1 + action;
        if (bid == all_bids()) {
            state.player = kTerminal;
            return;
        }
        state.last = static_cast<std::int16_t>(bid);
        state.history = after_bid(state.history, bid);
        ++state.bids;
        state.player = static_cast<std::int8_t>(1 - state.player);
    }

    // Draws the roll of the next player.
    template <class Source>
    void sample(State& state, Source& source) const {
        deal(state, source.pick(weights_.data(), outcomes(state), total_));
    }

    // The number of rolls, and the probability of one.
    int outcomes(const State&) const { return static_cast<int>(weights_.size()); }
    double probability(const State&, int roll) const {
        return weights_[static_cast<std::size_t>(roll)] / total_;
    }
    // Gives the next player the roll with this number; after both rolls player 0 moves.
    void deal(State& state, int roll) const {
        const bool first = state.roll[0] < 0;
        state.roll[first ? 0 : 1] = static_cast<std::int16_t>(roll);
        if (!first) state.player = 0;
    }

    // The label of action or outcome n: the number of a bid, all_bids() for the call ("liar"), or
    // all_bids() + 1 + the number of a roll.
    int label(const State& state, int n) const {
        return state.player == kChance ? all_bids() + 1 + n : state.last + 1 + n;
    }
    // The text of a label.
    std::string label_text(int label) const {
        if (label < all_bids()) {
            return std::to_string(label / sides_ + 1) + "x" + std::to_string(label % sides_ + 1);
        }
        return label == all_bids() ? "liar" : roll_text(label - all_bids() - 1);
    }

    // What a player notices of a step: label + 1; 0, nothing, of the other player's roll.
    Token noticed(const State& before, int label, const State&, int player) const {
        if (before.player != kChance) return static_cast<Token>(label + 1);
        const int roller = before.roll[0] < 0 ? 0 : 1;
        return player == roller ? static_cast<Token>(label + 1) : 0;
    }
    // The name of an information set, of the own roll and the bids: "3 1x2 2x5".
    std::string infoset_name(int, const Tokens& tokens) const {
        std::string name;
        for (const Token token : tokens) {
            if (!name.empty()) name += ' ';
            name += label_text(static_cast<int>(token) - 1);
        }
        return name;
    }

    // A player's payoff after a call, 1 or -1. The caller wins if fewer dice of both players show
    // the face than the last bid says; the highest face is wild. Bid b is b / sides + 1 dice of
    // face b % sides.
    double payoff(const State& state, int player) const {
        const int face = state.last % sides_, count = state.last / sides_ + 1, wild = sides_ - 1;
        int shown = 0;
        for (const std::int16_t roll : state.roll) {
            const auto& faces = faces_[static_cast<std::size_t>(roll)];
            shown += faces[static_cast<std::size_t>(face)];
            if (face != wild) shown += faces[static_cast<std::size_t>(wild)];
        }
        const bool called_by_first = state.bids % 2 == 0;
        const double first = (shown < count) == called_by_first ? 1 : -1;
        return player == 0 ? first : -first;
    }

private:
    // The number of bids: 1 to 2 * dice dice of each face.
    int all_bids() const { return 2 * dice_ * sides_; }

    // The faces of a roll as text, in order: "113".
    std::string roll_text(int roll) const {
        std::string text;
        const auto& counts = faces_[static_cast<std::size_t>(roll)];
        for (std::size_t face = 0; face < counts.size(); ++face) {
            text.append(static_cast<std::size_t>(counts[face]), static_cast<char>('1' + face));
        }
        return text;
    }

    // Adds all rolls that begin with the faces of the dice before `die`, with faces in order from
    // `lowest` on. A roll's weight is the number of orders of the dice that give it.
    void roll_from(std::vector<int>& faces, std::size_t die, int lowest) {
        if (die < faces.size()) {
            for (int face = lowest; face < sides_; ++face) {
                faces[die] = face;
                roll_from(faces, die + 1, face);
            }
            return;
        }
        std::array<std::int8_t, 9> counts{};
        double orders = 1;
        for (std::size_t i = 0; i < faces.size(); ++i) {
            auto& count = counts[static_cast<std::size_t>(faces[i])];
            ++count;
            orders *= static_cast<double>(i + 1) / count;
        }
        faces_.push_back(counts);
        weights_.push_back(std::round(orders));
        total_ += weights_.back();
    }

    int dice_, sides_;
    std::vector<std::array<std::int8_t, 9>> faces_;  // by roll, then face: how many dice show it
    std::vector<double> weights_;                    // by roll
    double total_ = 0;                               // sum of the weights
};

static_assert(Simulator<LiarsDice> && EnumerableGame<LiarsDice>);

}  // namespace fogtree::liars_dice
