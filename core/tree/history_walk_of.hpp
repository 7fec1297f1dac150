// A walk over every history of a native game.
//
// Histories, information sets, labels and players' histories get the same numbers as by the walk in
// Python (fogtree/tree/history_walk.py): parents before children, and the children of a history are
// made from the last to the first.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tree/enumerable_game.hpp"
#include "tree/history_walk.hpp"
#include "tree/memories.hpp"
#include "tree/native_histories.hpp"

namespace fogtree {

// The walk over one native game.
template <EnumerableGame Game>
class HistoryWalkOf final : public NativeWalk {
public:
    // Puts the root on the stack. Player p's first memory there follows the number -1 - p, which no
    // memory has, so that players never share a memory.
    explicit HistoryWalkOf(Game game) : game_(std::move(game)) {
        tree->players = game_.players();
        Pending root{game_.root(), -1, 0, -1, 1.0, {}, {}, 1.0, 1.0};
        for (int p = 0; p < tree->players; ++p) known(root, p) = memories_.find(-1 - p, 0);
        stack_.push_back(root);
    }

    // A streaming walk keeps no tree: it adds up the shares of the histories still to visit.
    double share_visited() const override {
        if (!builder_) return share_of(stack_);
        double left = 0;
        for (const Pending& one : stack_) left += one.share;
        return 1 - left;
    }

    // The texts of all labels met so far, by label.
    std::vector<std::string> label_texts() const override {
        std::vector<std::string> texts;
        for (const int code : codes_) texts.push_back(game_.label_text(code));
        return texts;
    }

    // The name of an information set, made by the game from all that its player noticed.
    std::string infoset_name(std::size_t infoset) const override {
        Tokens tokens;
        for (std::int32_t memory = infoset_memory.at(infoset); memories_.before(memory) >= 0;
             memory = memories_.before(memory)) {
            tokens.push_back(memories_.token(memory));
        }
        std::reverse(tokens.begin(), tokens.end());
        return game_.infoset_name(tree->infoset_player[infoset], tokens);
    }

    std::unique_ptr<const HistorySource> histories() const override {
        return std::make_unique<const NativeHistories<Game>>(game_);
    }

protected:
    // Visits up to `nodes` more histories; returns whether any are left.
    bool visit_some(std::int64_t nodes) override {
        for (; nodes > 0 && !stack_.empty(); --nodes) {
            const Pending here = stack_.back();
            stack_.pop_back();
            visit(here);
        }
        if (stack_.empty()) memories_.close();
        return !stack_.empty();
    }

private:
    using State = typename Game::State;
    // A history to visit. `known` has the number of each player's memory, `label` that of the edge
    // that leads here.
    struct Pending {
        State state;
        std::int32_t parent, action, label;
        double chance;
        std::array<std::int32_t, Game::kMostPlayers> known;
        // Only if streamed:
        std::array<std::int32_t, Game::kMostPlayers> sequences;
        double reach;  // of chance
        double share;  // of the game, if all children of a history had equal shares
    };

    // The number of a player's memory at a history.
    static std::int32_t& known(Pending& here, int player) {
        return here.known[static_cast<std::size_t>(player)];
    }

    // Visits a history: adds its node to the tree or to the sequence form, and puts its children on
    // the stack.
    void visit(const Pending& here) {
        const int mover = game_.player(here.state);
        const bool by_chance = mover == kChance;
        const auto node = static_cast<std::int32_t>(nodes());
        if (builder_) {
            ++streamed.nodes;
            streamed.terminals += mover == kTerminal;
            streamed.chance_nodes += by_chance;
        } else {
            keep(here, mover);
        }
        if (mover == kTerminal) return end(here);
        const int count = by_chance ? game_.outcomes(here.state) : game_.actions(here.state);
        const std::int32_t infoset = by_chance ? -1 : infoset_of(here, mover, count);
        if (!builder_) {
            tree->index.push_back(infoset);
        } else if (!by_chance) {
            builder_->decide(infoset, mover, count, here.sequences.data(), here.known.data());
        }
        if (by_chance) {
            for (int n = 0; n < count; ++n) label_number(game_.label(here.state, n));
        }
        for (int n = count - 1; n >= 0; --n) {
            push_child(here, node, mover, n);
            Pending& child = stack_.back();
            if (!builder_) continue;
            child.share = here.share / count;
            child.reach = here.reach * child.chance;
            if (!by_chance) {
                child.sequences[static_cast<std::size_t>(mover)] = builder_->after(infoset, n);
            }
        }
    }

    // Adds a history's node to the arrays of the tree, except to `index`.
    void keep(const Pending& here, int mover) {
        FlatTree& out = *tree;
        out.parent.push_back(here.parent);
        out.player.push_back(static_cast<std::int8_t>(mover));
        out.action.push_back(here.action);
        out.chance.push_back(here.chance);
        out.view.insert(out.view.end(), here.known.data(), here.known.data() + out.players);
        label.push_back(here.label);
    }

    // A terminal history: its payoffs go to the builder of the sequence form, or to the tree.
    void end(const Pending& here) {
        std::array<double, Game::kMostPlayers> payoffs;
        for (int p = 0; p < tree->players; ++p) {
            payoffs[static_cast<std::size_t>(p)] = game_.payoff(here.state, p);
        }
        if (builder_) {
            builder_->end(here.sequences.data(), here.reach, payoffs.data());
            return;
        }
        tree->index.push_back(next_payoffs());
        tree->payoffs.insert(tree->payoffs.end(), payoffs.data(), payoffs.data() + tree->players);
    }

    // Puts child n of a history, whose node is `node`, on the stack, and extends each player's
    // memory by what it notices of the step.
    void push_child(const Pending& here, std::int32_t node, int mover, int n) {
        const int code = game_.label(here.state, n);
        stack_.push_back(here);
        Pending& child = stack_.back();
        child.parent = node;
        child.action = n;
        child.label = label_number(code);
        child.chance = 1;
        if (mover == kChance) {
            child.chance = game_.probability(here.state, n);
            game_.deal(child.state, n);
        } else {
            game_.step(child.state, n);
        }
        if (game_.player(child.state) == kTerminal) return;  // nobody decides any more
        for (int p = 0; p < tree->players; ++p) {
            const Token token = game_.noticed(here.state, code, child.state, p);
            if (token != 0) known(child, p) = memories_.find(known(child, p), token);
        }
    }

    // The label of an action or outcome that the game calls `code`; a new one gets the next number.
    std::int32_t label_number(int code) {
        const auto place = static_cast<std::size_t>(code);
        if (place >= label_of_.size()) label_of_.resize(place + 1, -1);
        if (label_of_[place] < 0) {
            label_of_[place] = static_cast<std::int32_t>(codes_.size());
            codes_.push_back(code);
        }
        return label_of_[place];
    }

    // The number of the mover's information set, which has `count` actions and is added if it is
    // new.
    std::int32_t infoset_of(const Pending& here, int mover, int count) {
        const std::int32_t memory = here.known[static_cast<std::size_t>(mover)];
        const auto place = static_cast<std::size_t>(memory);
        if (place >= infoset_at_.size()) infoset_at_.resize(memories_.size() * 2, -1);
        if (infoset_at_[place] < 0) {
            menu_.clear();
            for (int n = 0; n < count; ++n) {
                menu_.push_back(label_number(game_.label(here.state, n)));
            }
            infoset_at_[place] = add_infoset(mover, memory, menu_);
        }
        return infoset_at_[place];
    }

    Game game_;
    Memories memories_;
    std::vector<Pending> stack_;
    std::vector<std::int32_t> infoset_at_;  // by the mover's memory; -1: none
    std::vector<std::int32_t> label_of_;    // by the game's number of an action; -1: not met
    std::vector<int> codes_;                // the game's number of each label
    std::vector<std::int32_t> menu_;
};

}  // namespace fogtree
