// The interface of a game whose exact best responses are computed without compiling it.
//
// A player's decisions are numbered from 0; the actions of all of them, decision after decision,
// are its slots. Information sets at which nothing that is decided changes the end are no
// decisions.
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

    virtual std::size_t decisions(int player) const = 0;
    virtual std::size_t slots(int player) const = 0;
    // Information sets of a player, with those that are no decisions.
    virtual std::uint64_t infosets(int player) const = 0;
    virtual int code_bytes() const = 0;

    // What is known of one decision. Slots follow each other in the order of decisions.
    struct Description {
        std::uint64_t key = 0;              // of the game's simulator
        std::int64_t before = -1;           // the slot of the player's last action; -1: none
        std::vector<std::int16_t> actions;  // their columns in a network's output
    };
    // `code` has room for the code of the game's networks, code_bytes().
    virtual void describe(int player, std::size_t decision, Description& out,
                          std::uint8_t* code) const = 0;

    // The value of a best response of `player` to the other player, whose probabilities of all
    // slots are `mixes`.
    virtual double best_response(int player, std::span<const float> mixes, int threads,
                                 Interruption& interruption) const = 0;
};

}  // namespace fogtree
