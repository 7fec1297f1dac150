#include "games/cambia/tree_builder.hpp"

#include <algorithm>

namespace fogtree::cambia {

// Puts the root on the stack. Each player p begins with a memory of its own, before which comes the
// number -1 - p, no memory.
TreeBuilder::TreeBuilder(const Rules& rules) : rules_(rules) {
    Pending root{Position::first(rules), -1, 0, -1, {}, 1.0};
    for (int p = 0; p < rules_.players; ++p) root.known[p] = remember(-1 - p, 0);
    stack_.push_back(root);
}

// Adds up to `nodes` more histories; returns whether any are left.
bool TreeBuilder::grow(std::int64_t nodes) {
    for (; nodes > 0 && !stack_.empty(); --nodes) {
        const Pending here = stack_.back();
        stack_.pop_back();
        visit(here);
    }
    return !stack_.empty();
}

// Adds the node of a history, and its children to the stack.
void TreeBuilder::visit(const Pending& here) {
    const auto node = static_cast<std::int32_t>(parent.size());
    const Position& position = here.position;
    parent.push_back(here.parent);
    action.push_back(here.action);
    label.push_back(here.label);
    chance.push_back(here.chance);
    view.insert(view.end(), here.known, here.known + rules_.players);
    if (position.over()) {
        player.push_back(-2);
        index.push_back(static_cast<std::int32_t>(payoffs.size()) / rules_.players);
        double out[kMostPlayers];
        position.returns(rules_, out);
        payoffs.insert(payoffs.end(), out, out + rules_.players);
        return;
    }
    children_.clear();
    if (position.by_chance()) {
        visit_chance(here, node);
    } else {
        visit_decision(here, node);
    }
    stack_.insert(stack_.end(), children_.rbegin(), children_.rend());
}

// Completes a chance node and collects its children; copies of a card are one outcome.
void TreeBuilder::visit_chance(const Pending& here, std::int32_t node) {
    player.push_back(-1);
    index.push_back(-1);
    const Position& position = here.position;
    if (position.phase == Phase::starter) {
        for (int p = 0; p < rules_.players; ++p) {
            Pending child = here;
            child.position.start_with(p);
            child.chance = 1.0 / rules_.players;
            child.label = kStarterLabel + p;
            push(here, child, {-1, {}, p}, node);
        }
        return;
    }
    int counts[kMostCards] = {}, places[kMostCards] = {};
    const int size = position.pool_size();
    for (int place = 0; place < size; ++place) {
        const Card card = position.pool()[place];
        ++counts[card];
        places[card] = place;
    }
    for (int card = 0; card < kMostCards; ++card) {
        if (counts[card] == 0) continue;
        Pending child = here;
        child.position.draw_at(rules_, places[card]);
        child.chance = static_cast<double>(counts[card]) / size;
        child.label = kOutcomeLabel + card;
        push(here, child, {-1, {}, card}, node);
    }
}

// Completes a decision node, adds its information set if that is new, and collects its children.
void TreeBuilder::visit_decision(const Pending& here, std::int32_t node) {
    const Position& position = here.position;
    const int mover = position.actor, count = position.move_count(rules_);
    player.push_back(static_cast<std::int8_t>(mover));
    index.push_back(infoset_of(here.known[mover], position, count));
    for (int number = 0; number < count; ++number) {
        const Move move = position.move(rules_, number);
        Pending child = here;
        child.position.act(rules_, move);
        child.chance = 1.0;
        child.label = action_of(move, rules_.players);
        push(here, child, {child.label, move, 0}, node);
    }
}

// Adds a child of `here`, which is node `node`, to children_, with what every player remembers
// after the step to it; at the end of the game the memories stay those of the parent.
void TreeBuilder::push(const Pending& here, Pending& child, const Step& step, std::int32_t node) {
    child.parent = node;
    child.action = static_cast<std::int32_t>(children_.size());
    if (!child.position.over()) {
        for (int p = 0; p < rules_.players; ++p) {
            const Token token = token_of(rules_, here.position, step, child.position, p);
            child.known[p] = remember(here.known[p], token);
        }
    }
    children_.push_back(child);
}

// The number of the memory after memory `before` and an observation, which is added if it is new.
std::int32_t TreeBuilder::remember(std::int32_t before, Token token) {
    const auto high = static_cast<std::uint64_t>(static_cast<std::uint32_t>(before));
    const auto next = static_cast<std::int32_t>(memory_before.size());
    const auto [found, fresh] = memories_.try_emplace(high << 32 | token, next);
    if (fresh) {
        memory_before.push_back(before);
        memory_token.push_back(token);
        infoset_at_.push_back(-1);
    }
    return found->second;
}

// The number of the information set of the actor's memory, which is added if it is new; `count`:
// its legal actions.
std::int32_t TreeBuilder::infoset_of(std::int32_t memory, const Position& position, int count) {
    std::int32_t& number = infoset_at_[static_cast<std::size_t>(memory)];
    if (number >= 0) return number;
    number = static_cast<std::int32_t>(infoset_player.size());
    infoset_player.push_back(static_cast<std::int8_t>(position.actor));
    infoset_memory.push_back(memory);
    infoset_first.push_back(static_cast<std::int32_t>(infoset_actions.size()));
    for (int k = 0; k < count; ++k) {
        const Move move = position.move(rules_, k);
        infoset_actions.push_back(static_cast<std::int16_t>(action_of(move, rules_.players)));
    }
    return number;
}

}  // namespace fogtree::cambia
