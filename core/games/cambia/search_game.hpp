// Cambia for two as a game for the search (core/search).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "common/hash.hpp"
#include "games/cambia/position.hpp"
#include "games/cambia/tokens.hpp"
#include "search/tree.hpp"

namespace fogtree::cambia {

// The rules in the form that the search needs.
class SearchGame {
public:
    using State = Position;
    using Edge = search::Edge<State>;

    explicit SearchGame(const Rules& rules) : rules_(rules) {}

    // Who moves: 0 or 1, kChance, or kTerminal at the end.
    int player(const Position& p) const {
        if (p.over()) return search::kTerminal;
        return p.by_chance() ? search::kChance : p.actor;
    }

    // Player 0's payoff at the end.
    double payoff(const Position& p) const {
        double out[kMostPlayers];
        p.returns(rules_, out);
        return out[0];
    }

    // A hash of the turn, the phase, the kinds of the cards in hands and drawn, and who waits to
    // snap: equal for equal positions.
    std::uint64_t key(const Position& p) const {
        std::uint64_t out =
            static_cast<std::uint64_t>(p.turn) << 8 | static_cast<unsigned>(p.phase);
        for (int q = 0; q < rules_.players; ++q) {
            for (int i = 0; i < p.sizes[q]; ++i) out = combine_hashes(out, kind(p.hands[q][i]));
        }
        return combine_hashes(combine_hashes(out, kind(p.drawn)), p.waiting);
    }

    // Appends all children of a position. An edge's action is the action's number or, for chance,
    // the card drawn or the player who starts.
    void expand(const Position& p, std::vector<Edge>& out) const {
        if (p.by_chance()) return expand_chance(p, out);
        const int count = p.move_count(rules_);
        for (int number = 0; number < count; ++number) {
            const Move move = p.move(rules_, number);
            out.push_back({p, static_cast<std::uint32_t>(action_of(move, rules_.players)), 1.0F});
            out.back().child.act(rules_, move);
        }
    }

    // The hash of a player's memory after a step: all players observe every step, with the cards
    // that it shows to them. `before`: the hash before the step.
    std::uint64_t knows(std::uint64_t before, int player, const Position& parent,
                        const Edge& edge) const {
        Step step;
        if (parent.by_chance()) {
            step.outcome = static_cast<int>(edge.action);
        } else {
            step.action = static_cast<int>(edge.action);
            step.move = move_of(step.action, rules_.players);
        }
        return remember(before, token_of(rules_, parent, step, edge.child, player));
    }

    // The hash of a player's memory after one more observation. Of the cards that a token shows
    // (bits 10 to 15 and 16 to 21) only the kind counts, not the suit. Tokens after which the deal
    // goes on are hashed unchanged: the first shows the starting player's number, not a card. The
    // token must be valid; see check_token.
    static std::uint64_t remember(std::uint64_t before, Token token) {
        const bool dealing = phase_in(token) == Phase::deal;
        if (dealing) return combine_hashes(before, token);
        const auto plain = [&](int shift) {
            return static_cast<Token>(kind(static_cast<Card>(card_in(token, shift)))) << shift;
        };
        constexpr Token kCards = Token{0xfff} << 10;
        return combine_hashes(before, (token & ~kCards) | plain(10) | plain(16));
    }

    // A number for cards that play alike: rank + 1, for a red king rank + 20; 0 for no card.
    static std::uint64_t kind(Card card) {
        if (card < 0) return 0;
        const bool red_king = kPoints[static_cast<std::size_t>(card)] < 0;
        return static_cast<std::uint64_t>(rank_of(card)) + (red_king ? 20 : 1);
    }

private:
    // Appends all outcomes of chance; cards that play alike are one outcome.
    void expand_chance(const Position& p, std::vector<Edge>& out) const {
        if (p.phase == Phase::starter) {
            for (int q = 0; q < rules_.players; ++q) {
                out.push_back(
                    {p, static_cast<std::uint32_t>(q), 1.0F / static_cast<float>(rules_.players)});
                out.back().child.start_with(q);
            }
            return;
        }
        int places[64], counts[64] = {};
        const int size = p.pool_size();
        for (int place = 0; place < size; ++place) {
            const auto k = kind(p.pool()[place]);
            places[k] = place;
            ++counts[k];
        }
        for (int k = 0; k < 64; ++k) {
            if (counts[k] == 0) continue;
            const Card card = p.pool()[places[k]];
            out.push_back({p, static_cast<std::uint32_t>(card),
                           static_cast<float>(counts[k]) / static_cast<float>(size)});
            out.back().child.draw_at(rules_, places[k]);
        }
    }

    Rules rules_;
};

// Leaf values by the cards on the table, for player 0 and from -1 to 1. Few points win: the lead is
// what player 1 has more than player 0, and tanh makes a value of it.
class CardEstimate {
public:
    explicit CardEstimate(const Rules& rules) : rules_(rules) {}

    // Player 0's value of a position: the payoff at the end, else by the difference in points.
    double evaluate(const Position& p) const {
        if (p.over()) return SearchGame(rules_).payoff(p);
        double lead = points(p, 1) - points(p, 0);
        if (p.caller >= 0) {  // the other has one turn left; ties are the caller's
            lead += p.caller == 0 ? kTie - kLastTurn : kLastTurn - kTie;
            return std::tanh(lead / kCalled);
        }
        lead += p.turn_player(rules_) == 0 ? kTempo : -kTempo;
        return std::tanh(lead / kOpen);
    }

    // Writes player 0's values of all children of a position.
    void evaluate(const Position&, const std::vector<search::Edge<Position>>& edges,
                  float* values) const {
        for (std::size_t k = 0; k < edges.size(); ++k) {
            values[k] = static_cast<float>(evaluate(edges[k].child));
        }
    }

private:
    static constexpr double kUnseen = 6.5;  // points that its owner takes an unseen card for
    static constexpr double kTrust = 0.5;   // weight of an unseen card's true points
    // In points: what it is worth to win ties, to have the last turn, and to be on turn.
    static constexpr double kTie = 0.5, kLastTurn = 2.5, kTempo = 1.0;
    // The lead in points at which the value is tanh(1): after Cambia was called, and before.
    static constexpr double kCalled = 3.0, kOpen = 9.0;

    // The estimated points in a hand. A card that its owner has not seen counts partly as an
    // average card, because its owner cannot use it deliberately, unless Cambia was called.
    double points(const Position& p, int player) const {
        double sum = 0;
        for (int i = 0; i < p.sizes[player]; ++i) {
            const auto card = static_cast<std::size_t>(p.hands[player][i]);
            const double value = kPoints[card];
            const bool seen = p.seen[player][i] >> player & 1;
            sum += seen || p.caller >= 0 ? value : kTrust * value + (1 - kTrust) * kUnseen;
        }
        return sum;
    }

    Rules rules_;
};

}  // namespace fogtree::cambia
