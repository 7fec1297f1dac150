// Liar's dice as a native simulator, with the rules and the order of actions of the Python game.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "common/hash.hpp"
#include "sampling/simulator.hpp"

namespace fogtree::liars_dice {

class LiarsDice {
public:
    struct State {
        std::uint64_t history = 0;  // hash of the bids
        std::array<std::int16_t, 2> roll{-1, -1};
        std::int16_t last = -1;  // the last bid
        std::int8_t bids = 0;
        std::int8_t player = kChance;
    };

    LiarsDice(int dice, int sides) : dice_(dice), sides_(sides) {
        if (dice < 1 || dice > 5 || sides < 2 || sides > 9) {
            throw std::invalid_argument("liars_dice has 1 to 5 dice of 2 to 9 sides");
        }
        std::vector<int> faces(static_cast<std::size_t>(dice), 0);
        roll_from(faces, 0, 0);
    }

    int players() const { return 2; }
    State root() const { return {}; }
    int player(const State& state) const { return state.player; }

    int actions(const State& state) const {
        return state.last < 0 ? all_bids() : all_bids() - state.last;
    }

    std::uint64_t key(const State& state) const {
        return key_of(state.player, state.roll[static_cast<std::size_t>(state.player)],
                      state.history);
    }
    // From what a player knows: the own roll's number, and the hash of the bids.
    static std::uint64_t key_of(int player, int roll, std::uint64_t history) {
        const auto own = static_cast<std::uint64_t>(roll * 2 + player + 1);
        return mix64(history + own * kGoldenRatio);
    }
    static std::uint64_t after_bid(std::uint64_t history, int bid) {
        return mix64(history + static_cast<std::uint64_t>(bid) + 1);
    }

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

    template <class Source>
    void sample(State& state, Source& source) const {
        const bool first = state.roll[0] < 0;
        const int n = static_cast<int>(weights_.size());
        const auto roll = static_cast<std::int16_t>(source.pick(weights_.data(), n, total_));
        state.roll[first ? 0 : 1] = roll;
        if (!first) state.player = 0;
    }

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
    int all_bids() const { return 2 * dice_ * sides_; }

    // All rolls from the `die`-th die on, faces in order, with how many orders give each.
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
    std::vector<std::array<std::int8_t, 9>> faces_;
    std::vector<double> weights_;
    double total_ = 0;
};

static_assert(Simulator<LiarsDice>);

}  // namespace fogtree::liars_dice
