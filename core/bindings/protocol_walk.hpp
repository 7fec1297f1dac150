// A walk over every history of any game in Python, through the protocol of `Game` and `State`.
//
// Only the game's own methods are called for every history; the rest is native. What is rare (new
// information sets) or wrong is left to an object in Python, `WalkChecks` of
// fogtree/tree/history_walk.py. Everything needs the interpreter's lock.
//
// A walk can be divided among processes: `pending` lists what is still to visit, another process
// begins there with `begin_at` and hands over a WalkPart, and the first walk absorbs the parts in
// their order. All numbers are then those of one undivided walk, because each table is numbered in
// the order of first occurrence, in a part as in the whole.
#pragma once

#include <nanobind/nanobind.h>

#include <utility>
#include <vector>

#include "bindings/walk_part.hpp"
#include "tree/history_walk.hpp"
#include "tree/memories.hpp"

namespace fogtree {

// Walks every history of a game in Python, and fills the arrays of a compiled tree.
class ProtocolWalk final : public HistoryWalk {
public:
    using Values = nanobind::typed<nanobind::list, nanobind::any>;

    // `checks`: a WalkChecks object; then the first state, who moves there, and each player's first
    // view.
    ProtocolWalk(nanobind::object checks, nanobind::object root, int mover, const Values& views);
    ~ProtocolWalk() override;

    double share_visited() const override { return share_of(stack_); }
    // All actions and outcomes by label, all actions of players, and all views, each by number.
    Values labels() const;
    Values actions() const { return Values(action_of_.keys()); }
    Values views() const { return Values(view_of_.keys()); }

    // The last step of a player's history: the number of the history before (negative: none), and
    // the numbers of the own action (-1: none) and of the view since.
    struct Step {
        std::int32_t before, action, view;
    };
    Step step(std::int32_t history) const;

    // Siblings still to visit: the numbers of the steps from the root to their parent, their own
    // numbers from `first` to before `last`, and the share of each in the game, if all children of
    // a history have equal shares.
    struct Siblings {
        std::vector<std::int32_t> path;
        std::int32_t first, last;
        double share;
    };
    // All that is still to visit, the next first.
    std::vector<Siblings> pending() const;
    // Makes a walk that has not begun visit only these histories and those below them. A `last`
    // beyond the last child is allowed. `wide` keeps a long list of outcomes of chance by its path,
    // so that the next walk over the same game need not ask for it again.
    void begin_at(const std::vector<Siblings>& groups, nanobind::dict& wide);
    // What a walk after begin_at() has visited, with its tables; the walk ends.
    WalkPart taken_part();
    // Adds a part whose first history is the next one to visit.
    void absorb(const WalkPart& part);
    // Whether a part that begins at the root's first child agrees with what was visited here.
    bool agrees(const WalkPart& part);

protected:
    bool visit_some(std::int64_t nodes) override;

private:
    // An action or an outcome of chance: its number at the node, in `label_of_` and, if it is a
    // player's action, in `action_of_` (memory; else -1); and its probability (1 for actions).
    struct Edge {
        nanobind::object action;
        std::int32_t number, label, memory;
        double chance;
    };
    // A history to visit. Its players' histories and views are the last in `numbers_` and `views_`.
    // One that was absorbed has no state and no views. `share`: as in Siblings.
    struct Pending {
        nanobind::object state;
        double chance, share;
        std::int32_t parent, action, label;
        int depth, mover;
    };
    // The numbers here of what has other numbers in a part.
    struct Numbers {
        std::vector<std::int32_t> label, memory, infoset;
    };

    Pending take();
    void visit();
    void visit_end(const nanobind::object& state);
    void push_outcomes(const Pending& here, std::int32_t node, const nanobind::object& found,
                       std::int32_t first, std::int32_t last);
    void push_actions(const Pending& here, std::int32_t node, std::int32_t set, std::int32_t first,
                      std::int32_t last);
    void push_child(const Pending& here, double share, std::int32_t node, const Edge& edge);
    void look(const nanobind::object& child, int mover, const Edge& edge);
    int mover_after(const nanobind::object& state, const Edge& edge, const nanobind::object& child);
    std::int32_t infoset(const nanobind::object& state, int mover);
    std::int32_t known_infoset(std::int32_t memory, const nanobind::object& actions);
    std::int32_t new_infoset(int mover, std::int32_t memory, const nanobind::object& actions);
    std::vector<Edge> outcomes(const nanobind::object& state, const nanobind::object& found,
                               std::int32_t first, std::int32_t last, std::int32_t& count);
    nanobind::object listed_outcomes(const nanobind::object& state,
                                     const std::vector<std::int32_t>& path, nanobind::dict& wide);
    Edge edge(nanobind::handle action, std::int32_t number, double chance);
    // The number of a key of a dictionary, which gets the next one if it is new; -1: it cannot be a
    // key.
    static std::int32_t number_of(nanobind::dict& numbers, nanobind::handle key);
    std::int32_t label_number(nanobind::handle action);
    std::int32_t view_number(nanobind::handle view);
    std::int32_t remember(std::int32_t before, std::int32_t action, nanobind::handle view);
    bool same(nanobind::handle view, nanobind::handle before);
    std::vector<std::int32_t> path_to(std::int32_t node) const;
    Numbers numbers_of(const WalkPart& part);
    std::int32_t absorbed_infoset(const WalkPart& part, std::size_t i, std::int32_t memory);
    std::int32_t absorb_first(const WalkPart& part, std::size_t node, std::int32_t label);
    void absorb_pending(const WalkPart& part, const Numbers& numbers, std::int32_t first);

    nanobind::object checks_;
    std::size_t width_;                   // number of players
    PyTypeObject* known_type_ = nullptr;  // of states; the first state keeps it alive
    nanobind::object first_;
    std::vector<Pending> stack_;
    std::vector<std::vector<std::int32_t>> beginnings_;  // paths to the parents, after begin_at()
    std::vector<std::int32_t> numbers_;                  // by pending history and player
    std::vector<nanobind::object> views_;                // by pending history and player
    std::vector<std::int32_t> here_;      // the players' histories at the history being visited,
    std::vector<nanobind::object> seen_;  // and their views
    Memories memories_, steps_;           // steps: an own action and a view
    nanobind::dict label_of_, action_of_, view_of_;
    std::vector<std::int32_t> infoset_at_;   // by the mover's history; -1: none
    std::vector<std::vector<Edge>> edges_;   // by information set
    std::vector<nanobind::object> actions_;  // by information set, as a tuple
    std::vector<nanobind::object> players_;  // numbers, as arguments
    nanobind::object child_name_, actions_name_, player_name_, observation_name_, chance_name_,
        returns_name_;
};

}  // namespace fogtree
