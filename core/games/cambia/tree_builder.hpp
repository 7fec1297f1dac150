// Walks every history of a small game of Cambia and fills a flat tree's arrays.
//
// The memory of a player is numbered: a number stands for the memory before and the last
// observation. An information set is the memory of the player to move. The arrays are those of
// FlatTree.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "common/in_use.hpp"
#include "games/cambia/position.hpp"
#include "games/cambia/tokens.hpp"

namespace fogtree::cambia {

// Labels of nodes: below 1024 the number of an action, from 1024 on 1024 + the card that chance
// drew, from 2048 on 2048 + the player who starts; -1 at the root.
inline constexpr int kOutcomeLabel = 1024;
inline constexpr int kStarterLabel = 2048;

// Builds the tree in steps.
class TreeBuilder {
public:
    InUse in_use{"the tree builder"};

    explicit TreeBuilder(const Rules& rules);

    // Adds up to `nodes` more histories; returns whether any are left.
    bool grow(std::int64_t nodes);

    // One entry per node; `view` has one per node and player, the number of the player's memory.
    // `label` says which action or outcome led to the node, see kOutcomeLabel.
    std::vector<std::int32_t> parent, action, index, view, label;
    std::vector<std::int8_t> player;
    std::vector<double> chance, payoffs;
    // One entry per information set: its player, the player's memory, and where its actions begin
    // in `infoset_actions`, which has the numbers of all actions.
    std::vector<std::int8_t> infoset_player;
    std::vector<std::int32_t> infoset_memory, infoset_first;
    std::vector<std::int16_t> infoset_actions;
    // One entry per memory: the one before it (-1 - player at the root), and the last observation.
    std::vector<std::int32_t> memory_before;
    std::vector<Token> memory_token;

private:
    // A history to visit: its position, the edge that leads to it, and the players' memories there.
    struct Pending {
        Position position;
        std::int32_t parent, action, label;
        std::int32_t known[kMostPlayers];
        double chance;
    };

    void visit(const Pending& here);
    void visit_chance(const Pending& here, std::int32_t node);
    void visit_decision(const Pending& here, std::int32_t node);
    void push(const Pending& here, Pending& child, const Step& step, std::int32_t node);
    std::int32_t remember(std::int32_t before, Token token);
    std::int32_t infoset_of(std::int32_t memory, const Position& position, int count);

    Rules rules_;
    std::vector<Pending> stack_;
    std::vector<Pending> children_;
    std::unordered_map<std::uint64_t, std::int32_t> memories_;
    std::vector<std::int32_t> infoset_at_;  // by memory; -1: none
};

}  // namespace fogtree::cambia
