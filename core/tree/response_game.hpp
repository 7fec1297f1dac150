// The interface of a game whose exact best responses are computed without compiling it.
//
// A player's decisions are numbered from 0; the actions of all of them, decision after decision,
// are its slots. An information set at which no choice can change the payoff does not count as a
// decision.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/interruption.hpp"

namespace fogtree {

// One game, with the decisions of both players.
class ResponseGame {
public:
    virtual ~ResponseGame() = default;

    virtual std::size_t decisions(int player) const = 0;  // how many a player has
    virtual std::size_t slots(int player) const = 0;      // how many a player has
    // The number of a player's information sets, including those that are no decisions.
    virtual std::uint64_t infosets(int player) const = 0;
    // The length of the code that stands for an information set in the input of networks.
    virtual int code_bytes() const = 0;

    // One decision.
    struct Description {
        std::uint64_t key = 0;              // the information set's in the game's simulator
        std::int64_t before = -1;           // the slot of the player's last action; -1: none
        std::vector<std::int16_t> actions;  // their columns in a network's output
    };
    // Describes the player's decision of this number; writes its code, of code_bytes() bytes, to
    // `code`.
    virtual void describe(int player, std::size_t decision, Description& out,
                          std::uint8_t* code) const = 0;

    // The value, to `player`, of its best response to the other player; `mixes` has the other
    // player's probability at each of its slots.
    virtual double best_response(int player, std::span<const float> mixes, int threads,
                                 Interruption& interruption) const = 0;
};

}  // namespace fogtree
