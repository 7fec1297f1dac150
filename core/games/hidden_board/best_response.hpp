// The value of an exact best response on a hidden board.
//
// The responder's information sets are walked depth first. With each goes the list of decisions
// that the other player may be at; how probable each of them is depends on the other player's own
// strategy alone, because there is no chance and both players' tries determine the history. No
// history is stored. In the classical game the order in which the responder finds occupied squares
// within one turn changes nothing that the other player sees, so every set of them is walked once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/interruption.hpp"
#include "games/hidden_board/decisions.hpp"

namespace fogtree::hidden_board {

// The expected payoff of a best response to the player whose decisions are `other`. `mixes` is that
// player's strategy: for every slot, the probability of the try at its decision.
double best_response_value(const BoardFacts& facts, const Decisions& other,
                           std::span<const float> mixes, int threads, Interruption& interruption);

}  // namespace fogtree::hidden_board
