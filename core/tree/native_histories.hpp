// The histories of a native game, made as a search asks for them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "common/hash.hpp"
#include "tree/enumerable_game.hpp"
#include "tree/history_source.hpp"

namespace fogtree {

// The histories of one native game.
template <EnumerableGame Game>
class NativeHistories final : public HistorySource {
public:
    explicit NativeHistories(Game game) : game_(std::move(game)) {
        if (game_.players() != 2) throw std::invalid_argument(kRefused);
    }

    // Fills the first history; each player's view begins with a hash of its own.
    void begin(History& root) const override {
        for (int p = 0; p < 2; ++p) {
            root.views[p] = mix64(kGoldenRatio * static_cast<std::uint64_t>(p + 1));
        }
        fill(root, game_.root());
    }

    // Makes the `count` children of a history, except for their parent, key and action.
    std::unique_ptr<History[]> children(const History& of, std::int32_t& count) const override {
        const State& before = state(of);
        const bool by_chance = of.player == kChance;
        count = by_chance ? game_.outcomes(before) : game_.actions(before);
        auto made = std::make_unique<History[]>(static_cast<std::size_t>(count));
        for (int n = 0; n < count; ++n) {
            History& child = made[static_cast<std::size_t>(n)];
            if (by_chance) child.probability = game_.probability(before, n);
            fill(child, after(before, of.player, n));
            for (int p = 0; p < 2; ++p) {
                const Token token = noticed(of, n, child, p);
                child.views[p] = token == 0 ? of.views[p] : combine_hashes(of.views[p], token);
            }
        }
        return made;
    }

    // Player 0's payoff at the end of a game from a history in which players choose uniformly at
    // random; adds the number of moves to `steps`.
    double playout(const History& from, SplitMix64& random, std::int64_t& steps) const override {
        State here = state(from);
        for (int mover = from.player; mover != kTerminal; mover = game_.player(here), ++steps) {
            if (mover == kChance) {
                game_.deal(here, random_outcome(here, random));
            } else {
                const auto actions = static_cast<std::size_t>(game_.actions(here));
                game_.step(here, static_cast<int>(random.below(actions)));
            }
        }
        return zero_sum_payoff(here);
    }

    std::string label(const History& child) const override {
        return game_.label_text(game_.label(state(*child.parent), child.action));
    }

    bool has_names() const override { return true; }
    // The name of the mover's information set, from all that it noticed on the way from the root.
    std::string name(const History& of) const override {
        Tokens tokens;
        for (const History* h = &of; h->parent != nullptr; h = h->parent) {
            const Token token = noticed(*h->parent, h->action, *h, of.player);
            if (token != 0) tokens.push_back(token);
        }
        std::reverse(tokens.begin(), tokens.end());
        return game_.infoset_name(of.player, tokens);
    }

    // 32 bytes are for the block that counts the pointers to a state.
    std::size_t bytes() const override { return sizeof(State) + 32; }

private:
    static constexpr auto kRefused = "not a two-player zero-sum game; it cannot be searched";

    using State = typename Game::State;

    // The game's state at a history.
    static const State& state(const History& of) {
        return *static_cast<const State*>(of.state.get());
    }

    // The state after action n of the mover, or after outcome n of chance.
    State after(State state, int mover, int n) const {
        if (mover == kChance) {
            game_.deal(state, n);
        } else {
            game_.step(state, n);
        }
        return state;
    }

    // Fills a history's state, player and, at the end, payoff.
    void fill(History& out, const State& state) const {
        out.state = std::make_shared<const State>(state);
        out.player = static_cast<std::int8_t>(game_.player(state));
        if (out.player == kTerminal) out.payoff = zero_sum_payoff(state);
    }

    // What a player notices of the step with action or outcome n from `before` to `after`; 0
    // (nothing) if the game ends there, because nobody decides any more.
    Token noticed(const History& before, int n, const History& after, int player) const {
        if (after.player == kTerminal) return 0;
        const int code = game_.label(state(before), n);
        return game_.noticed(state(before), code, state(after), player);
    }

    // Draws the number of an outcome by the probabilities of chance.
    int random_outcome(const State& here, SplitMix64& random) const {
        const int outcomes = game_.outcomes(here);
        double left = random.unit();
        int n = 0;
        while (n + 1 < outcomes && (left -= game_.probability(here, n)) >= 0) ++n;
        return n;
    }

    // Player 0's payoff at the end; throws std::invalid_argument unless both players' payoffs add
    // up to 0.
    double zero_sum_payoff(const State& end) const {
        constexpr double rounding = 1e-9;
        const double first = game_.payoff(end, 0);
        if (!(std::abs(first + game_.payoff(end, 1)) <= rounding * std::abs(first)))
            throw std::invalid_argument(kRefused);
        return first;
    }

    Game game_;
};

}  // namespace fogtree
