// A player's observation of one step, as a number; see Python's fogtree.games.cambia.tokens.
#pragma once

#include <cstdint>
#include <stdexcept>

#include "games/cambia/position.hpp"

namespace fogtree::cambia {

// Bits 0-9: the action's number + 1, or 0 for chance. 10-15, 16-21: cards seen + 1, 0 for none; of
// the first step, bits 10-15 have the starting player's number + 1. 22-25: the phase afterwards.
// 26-28: the next player. Steps with equal tokens look the same to the player.
using Token = std::uint32_t;

// The number of a token's action; -1 for chance.
inline int action_in(Token token) {
    return static_cast<int>(token & 1023) - 1;
}
// The card that a token has at bit `shift`, 10 or 16; -1 for none.
inline int card_in(Token token, int shift) {
    return static_cast<int>(token >> shift & 63) - 1;
}
// The phase after the step.
inline Phase phase_in(Token token) {
    return static_cast<Phase>(token >> 22 & 15);
}
// The actor after the step, see Position::actor.
inline int actor_in(Token token) {
    return static_cast<int>(token >> 26 & 7);
}

// Throws std::invalid_argument if a number is no token of a game with these rules.
inline void check_token(const Rules& rules, Token token) {
    if (action_in(token) >= action_count(rules.players) || card_in(token, 10) >= kMostCards ||
        card_in(token, 16) >= kMostCards || phase_in(token) > Phase::over ||
        actor_in(token) >= rules.players || token >> 29 != 0)
        throw std::invalid_argument("no observation of this game has this token");
}

// A step of the game as an observer sees it: an action, or an outcome of chance.
struct Step {
    int action = -1;  // -1: chance
    Move move;
    int outcome = 0;  // a card, or who starts
};

// The token of the step from `before` to `after` as `player` observes it: the action, the cards
// that the step shows to this player, and the phase and actor afterwards.
inline Token token_of(const Rules& rules, const Position& before, const Step& step,
                      const Position& after, int player) {
    int first = -1, second = -1;
    const bool mine = before.actor == player;
    if (step.action < 0) {
        const bool own_look = mine && before.sizes[before.actor] < rules.looks;
        const bool opening =
            before.phase == Phase::deal && before.sizes[before.actor] == rules.hand;
        const bool shown = before.phase == Phase::starter || opening ||
                           (before.phase == Phase::deal && own_look) ||
                           (before.phase == Phase::draw && mine);
        if (shown) first = step.outcome;
    } else {
        const Move& move = step.move;
        const int whose = (before.actor + 1 + move.opponent) % rules.players;
        switch (move.kind) {
            case Kind::discard:
            case Kind::discard_ability:
            case Kind::replace:
                first = after.top();
                break;
            case Kind::look_own:
                if (mine) first = before.hands[player][move.own];
                break;
            case Kind::look_other:
                if (mine) first = before.hands[whose][move.slot];
                break;
            case Kind::king_look:
                if (mine) {
                    first = before.hands[player][move.own];
                    second = before.hands[whose][move.slot];
                }
                break;
            case Kind::snap_own:
            case Kind::snap_other: {
                const Card card = move.kind == Kind::snap_own ? before.hands[before.actor][move.own]
                                                              : before.hands[whose][move.slot];
                if (rules.show_wrong_snap || rank_of(card) == rank_of(before.top())) first = card;
                break;
            }
            default:
                break;
        }
    }
    const auto bits = [](int value) { return static_cast<Token>(value + 1); };
    return bits(step.action) | bits(first) << 10 | bits(second) << 16 |
           static_cast<Token>(after.phase) << 22 | static_cast<Token>(after.actor) << 26;
}

}  // namespace fogtree::cambia
