// A walk over every history of a game that fills the arrays of a compiled tree.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/in_use.hpp"
#include "tree/flat_tree.hpp"
#include "tree/form_builder.hpp"
#include "tree/history_source.hpp"

namespace fogtree {

// A walk in progress, with the arrays it has filled so far.
class HistoryWalk {
public:
    InUse in_use{"the walk over the game"};

    virtual ~HistoryWalk() = default;

    // Visits up to `nodes` more histories; false when none is left. After an error the walk cannot
    // go on.
    bool grow(std::int64_t nodes);
    // An estimate in [0, 1] of the part of the game visited so far: the whole game counts as 1, and
    // the part of a history is divided equally among its children.
    virtual double share_visited() const = 0;

    std::size_t nodes() const { return tree->nodes() + streamed.nodes; }  // visited so far
    // Completes the tree. Throws std::invalid_argument unless every history has been visited.
    void finish();

    struct Counts {
        std::size_t nodes = 0, terminals = 0, chance_nodes = 0;
    };
    Counts streamed;  // histories that were visited and not kept
    std::shared_ptr<FlatTree> tree = std::make_shared<FlatTree>();
    std::vector<std::int32_t> label;           // by node: of the edge that leads to it; -1: none
    std::vector<std::int32_t> infoset_memory;  // by information set: the mover's memory
    std::vector<std::int32_t> infoset_menu;    // by information set: the number of its menu
    std::vector<std::vector<std::int32_t>> menus;  // by menu: the labels of the actions, in order

protected:
    // Visits up to `nodes` more histories; false when none is left.
    virtual bool visit_some(std::int64_t nodes) = 0;
    // Numbers the slots of the tree, and checks it.
    virtual void complete() { tree->finish(); }
    // Throws std::length_error if there are no 32-bit numbers for so many more histories.
    void check_room(std::int64_t nodes) const;
    // The row of `payoffs` that comes next.
    std::int32_t next_payoffs() const {
        return static_cast<std::int32_t>(tree->payoffs.size() /
                                         static_cast<std::size_t>(tree->players));
    }
    // Adds an information set, and returns its number. `memory`: the number of the mover's memory;
    // `menu`: the labels of its actions.
    std::int32_t add_infoset(int player, std::int32_t memory,
                             const std::vector<std::int32_t>& menu);
    // share_visited(), from the stack of histories still to visit, which have `parent` and
    // `action`: siblings lie side by side, the last one deepest. Follows the path from the root to
    // the next history: at each step the share of a node is divided equally among its children, of
    // which those before the step are done.
    template <class Pending>
    double share_of(const std::vector<Pending>& stack) const {
        if (stack.empty()) return 1;
        struct Step {
            std::int32_t parent, number;
        };
        std::vector<Step> path{{stack.back().parent, stack.back().action}};
        while (path.back().parent > 0) {
            const auto node = static_cast<std::size_t>(path.back().parent);
            path.push_back({tree->parent[node], tree->action[node]});
        }
        double share = 0, weight = 1;
        std::size_t place = 0;
        for (auto step = path.rbegin(); step != path.rend() && nodes() > 0; ++step) {
            if (place >= stack.size()) break;  // an absorbed part was wrong
            const Pending& deepest = stack[place];
            const auto last = deepest.parent == step->parent ? deepest.action : step->number;
            weight /= last + 1;
            share += weight * step->number;
            place += static_cast<std::size_t>(last - step->number);
        }
        return share;
    }

    bool broken_ = false;  // by an error: the walk cannot go on

private:
    std::map<std::vector<std::int32_t>, std::int32_t> menu_number_;
};

// A walk over a game whose rules are native.
class NativeWalk : public HistoryWalk {
public:
    virtual std::vector<std::string> label_texts() const = 0;  // by label
    virtual std::string infoset_name(std::size_t infoset) const = 0;
    // The same game for a search that does not compile it.
    virtual std::unique_ptr<const HistorySource> histories() const = 0;

    // Makes the walk build the sequence form instead of a tree, so that histories are not kept. To
    // be called before the first visit.
    void stream();
    // The sequence form, not merged, of a streamed walk that has visited every history; can be
    // taken once. `opposite` becomes whether all payoffs of two players were exact opposites.
    SequenceForm finished_form(bool& opposite);

protected:
    std::unique_ptr<FormBuilder> builder_;  // of a streamed walk
    // Without checks: native games make no inconsistent trees.
    void complete() override { tree->number_slots(); }
};

}  // namespace fogtree
