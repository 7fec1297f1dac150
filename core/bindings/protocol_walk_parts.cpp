// A walk over a game in Python that is divided among processes.
#include <algorithm>
#include <limits>
#include <stdexcept>

#include "bindings/protocol_walk.hpp"

namespace nb = nanobind;

namespace fogtree {

namespace {

constexpr std::size_t kWide = 1000;  // outcomes of a chance node
constexpr std::int32_t kLast = std::numeric_limits<std::int32_t>::max();

// An entry of a table of numbers, which must exist.
std::int32_t entry(const std::vector<std::int32_t>& table, std::int32_t i) {
    if (i < 0 || static_cast<std::size_t>(i) >= table.size()) {
        throw std::invalid_argument("a number that the part does not define");
    }
    return table[static_cast<std::size_t>(i)];
}

[[noreturn]] void differs() {
    throw std::invalid_argument("the part differs from the walk that it continues");
}

}  // namespace

// The numbers of the steps from the root to a node; a negative node is one of `beginnings_`.
std::vector<std::int32_t> ProtocolWalk::path_to(std::int32_t node) const {
    std::vector<std::int32_t> back;
    const bool whole = beginnings_.empty();  // node 0 is the root
    while (node >= (whole ? 1 : 0)) {
        back.push_back(tree->action[static_cast<std::size_t>(node)]);
        node = tree->parent[static_cast<std::size_t>(node)];
    }
    std::vector<std::int32_t> path;
    if (!whole) path = beginnings_[static_cast<std::size_t>(-1 - node)];
    path.insert(path.end(), back.rbegin(), back.rend());
    return path;
}

// All that is still to visit, the next first; siblings are joined.
std::vector<ProtocolWalk::Siblings> ProtocolWalk::pending() const {
    if (beginnings_.empty() && nodes() == 0) throw std::invalid_argument("the walk has not begun");
    std::vector<Siblings> out;
    std::int32_t parent = 0;
    for (auto next = stack_.rbegin(); next != stack_.rend(); ++next) {
        if (!out.empty() && next->parent == parent && next->action == out.back().last) {
            ++out.back().last;
            continue;
        }
        parent = next->parent;
        out.push_back({path_to(parent), next->action, next->action + 1, next->share});
    }
    return out;
}

// What a chance node lists; a long list is kept in `wide` by the node's path, alone.
nb::object ProtocolWalk::listed_outcomes(const nb::object& state,
                                         const std::vector<std::int32_t>& path, nb::dict& wide) {
    const nb::bytes key(reinterpret_cast<const char*>(path.data()),
                        path.size() * sizeof(std::int32_t));
    if (wide.contains(key)) return wide[key];
    nb::object found = state.attr(chance_name_)();
    if (PyList_CheckExact(found.ptr()) && nb::len(found) >= kWide) {
        wide.clear();
        wide[key] = found;
    }
    return found;
}

// Makes a walk that has not begun visit only these histories, whose paths are followed first.
void ProtocolWalk::begin_at(const std::vector<Siblings>& groups, nb::dict& wide) {
    if (broken_ || nodes() > 0 || stack_.size() != 1 || !beginnings_.empty()) {
        throw std::invalid_argument("the walk has begun");
    }
    broken_ = true;  // unless it returns
    const Pending root = take();
    const auto numbers = here_;
    const auto views = seen_;
    std::vector<std::int32_t> path;
    const auto push = [&](const Pending& here, std::int32_t parent, std::int32_t first,
                          std::int32_t last) {
        const std::size_t before = stack_.size();
        if (here.mover == kTerminal || first < 0) throw std::invalid_argument("no such path");
        if (here.mover == kChance) {
            push_outcomes(here, parent, listed_outcomes(here.state, path, wide), first, last);
        } else {
            push_actions(here, parent, infoset(here.state, here.mover), first, last);
        }
        if (stack_.size() == before) throw std::invalid_argument("no such path");
    };
    for (std::size_t g = groups.size(); g-- > 0;) {
        here_ = numbers;
        seen_ = views;
        path.clear();
        Pending here = root;
        for (const std::int32_t step : groups[g].path) {
            push(here, -1, step, step < kLast ? step + 1 : step);
            path.push_back(step);
            here = take();
        }
        push(here, -1 - static_cast<std::int32_t>(g), groups[g].first, groups[g].last);
    }
    for (const Siblings& group : groups) beginnings_.push_back(group.path);
    broken_ = false;
}

// What was visited since begin_at(). The walk cannot go on.
WalkPart ProtocolWalk::taken_part() {
    if (broken_ || beginnings_.empty()) throw std::invalid_argument("the walk has no part");
    broken_ = true;
    WalkPart part;
    const std::size_t outside =
        static_cast<std::size_t>(std::find_if(stack_.begin(), stack_.end(),
                                              [](const auto& one) { return one.parent >= 0; }) -
                                 stack_.begin());
    for (std::size_t i = outside; i < stack_.size(); ++i) {
        const Pending& one = stack_[i];
        part.pending_parent.push_back(one.parent);
        part.pending_action.push_back(one.action);
        part.pending_label.push_back(one.label);
        part.pending_depth.push_back(one.depth);
        part.pending_player.push_back(static_cast<std::int8_t>(one.mover));
        part.pending_chance.push_back(one.chance);
        part.pending_share.push_back(one.share);
    }
    part.pending_view.assign(numbers_.begin() + static_cast<std::ptrdiff_t>(outside * width_),
                             numbers_.end());
    for (std::size_t memory = 0; memory < memories_.size(); ++memory) {
        const Step last = step(static_cast<std::int32_t>(memory));
        part.memory_before.push_back(last.before);
        part.memory_action.push_back(last.action);
        part.memory_view.push_back(last.view);
    }
    part.labels = labels();
    part.actions = actions();
    part.views = views();
    for (const nb::object& actions : actions_) part.infoset_actions.append(actions);
    for (const nb::handle infoset : checks_.attr("infosets")) {
        part.infoset_names.append(infoset.attr("given_name"));
        part.infoset_views.append(infoset.attr("view"));
    }
    part.infoset_player = tree->infoset_player;
    part.infoset_memory = infoset_memory;
    part.parent = std::move(tree->parent);
    part.player = std::move(tree->player);
    part.action = std::move(tree->action);
    part.index = std::move(tree->index);
    part.chance = std::move(tree->chance);
    part.view = std::move(tree->view);
    part.payoffs = std::move(tree->payoffs);
    part.label = std::move(label);
    stack_.clear();
    numbers_.clear();
    views_.clear();
    return part;
}

// The numbers here of what the tables of a part number; what is new is added in their order.
ProtocolWalk::Numbers ProtocolWalk::numbers_of(const WalkPart& part) {
    Numbers out;
    std::vector<std::int32_t> view, action;
    for (const nb::handle one : part.labels) out.label.push_back(label_number(one));
    for (const nb::handle one : part.views) view.push_back(view_number(one));
    for (const nb::handle one : part.actions) {
        action.push_back(number_of(action_of_, one));
        if (action.back() < 0) checks_.attr("unhashable_action")(one);
    }
    for (std::size_t i = 0; i < part.memory_before.size(); ++i) {
        std::int32_t before = part.memory_before[i];
        if (before < -static_cast<std::int32_t>(width_)) differs();
        if (before >= 0) before = entry(out.memory, before);
        const std::int32_t own =
            part.memory_action[i] < 0 ? -1 : entry(action, part.memory_action[i]);
        const std::int32_t seen = entry(view, part.memory_view[i]);
        const std::int32_t step = steps_.find(own, static_cast<std::uint32_t>(seen));
        out.memory.push_back(memories_.find(before, static_cast<std::uint32_t>(step)));
    }
    for (std::size_t i = 0; i < part.infoset_player.size(); ++i) {
        const std::int32_t memory = entry(out.memory, part.infoset_memory[i]);
        out.infoset.push_back(absorbed_infoset(part, i, memory));
    }
    return out;
}

// The number here of a part's information set, which is added if it is new.
std::int32_t ProtocolWalk::absorbed_infoset(const WalkPart& part, std::size_t i,
                                            std::int32_t memory) {
    const int mover = part.infoset_player[i];
    if (mover < 0 || mover >= static_cast<int>(width_)) differs();
    const nb::object actions = nb::cast<nb::tuple>(part.infoset_actions[i]);
    const std::int32_t known = known_infoset(memory, actions);
    if (known >= 0) return known;
    checks_.attr("absorbed_infoset")(mover, part.infoset_names[i], part.infoset_views[i], memory);
    return new_infoset(mover, memory, actions);
}

// Adds a part whose first history is the next one to visit.
void ProtocolWalk::absorb(const WalkPart& part) {
    if (broken_) throw std::invalid_argument("the walk ended with an error");
    part.check(width_);
    check_room(static_cast<std::int64_t>(part.parent.size()));
    broken_ = true;  // unless it returns
    const Numbers numbers = numbers_of(part);
    FlatTree& out = *tree;
    const auto first = static_cast<std::int32_t>(out.nodes());
    std::size_t paid = 0;
    for (std::size_t i = 0; i < part.parent.size(); ++i) {
        for (std::size_t p = 0; p < width_; ++p) {
            here_[p] = entry(numbers.memory, part.view[i * width_ + p]);
        }
        const std::int32_t name = entry(numbers.label, part.label[i]);
        const std::int32_t parent = part.parent[i];
        if (parent >= static_cast<std::int32_t>(i)) differs();
        out.parent.push_back(parent >= 0 ? first + parent : absorb_first(part, i, name));
        out.player.push_back(part.player[i]);
        out.action.push_back(part.action[i]);
        out.chance.push_back(part.chance[i]);
        out.view.insert(out.view.end(), here_.begin(), here_.end());
        label.push_back(name);
        if (part.player[i] == kTerminal) {
            out.index.push_back(next_payoffs());
            if (paid + width_ > part.payoffs.size()) differs();
            const auto row = part.payoffs.begin() + static_cast<std::ptrdiff_t>(paid);
            out.payoffs.insert(out.payoffs.end(), row, row + static_cast<std::ptrdiff_t>(width_));
            paid += width_;
        } else {
            out.index.push_back(part.player[i] == kChance ? -1
                                                          : entry(numbers.infoset, part.index[i]));
        }
    }
    if (paid != part.payoffs.size()) differs();
    absorb_pending(part, numbers, first);
    broken_ = false;
}

// The parent of a history of a part whose parent is not in the part: it must be the next history to
// visit, with the same mover, action, probability and memories (in `here_`).
std::int32_t ProtocolWalk::absorb_first(const WalkPart& part, std::size_t node,
                                        std::int32_t label) {
    if (stack_.empty()) differs();
    const std::vector<std::int32_t> there = here_;
    const Pending next = take();
    if (next.mover != part.player[node] || next.action != part.action[node] ||
        next.chance != part.chance[node] || next.label != label || here_ != there) {
        differs();
    }
    return next.parent;
}

// Puts the histories that a part left on the stack, without their states. `first`: the number here
// of the part's first history.
void ProtocolWalk::absorb_pending(const WalkPart& part, const Numbers& numbers,
                                  std::int32_t first) {
    for (std::size_t i = 0; i < part.pending_parent.size(); ++i) {
        const std::int32_t parent = part.pending_parent[i];
        if (parent < 0 || static_cast<std::size_t>(parent) >= part.parent.size()) differs();
        for (std::size_t p = 0; p < width_; ++p) {
            numbers_.push_back(entry(numbers.memory, part.pending_view[i * width_ + p]));
            views_.emplace_back();
        }
        stack_.push_back({nb::object(), part.pending_chance[i], part.pending_share[i],
                          first + parent, part.pending_action[i],
                          entry(numbers.label, part.pending_label[i]), part.pending_depth[i],
                          part.pending_player[i]});
    }
}

// Whether a part that begins at the root's first child agrees with what was visited here. If it
// does not, the tables here may have changed, and the walk cannot go on.
bool ProtocolWalk::agrees(const WalkPart& part) {
    if (broken_) throw std::invalid_argument("the walk ended with an error");
    part.check(width_);
    const FlatTree& mine = *tree;
    if (part.parent.size() >= mine.nodes()) return false;
    broken_ = true;  // unless it agrees
    const std::size_t labels = label_of_.size(), views = view_of_.size(),
                      memories = memories_.size(), infosets = mine.infosets();
    const Numbers numbers = numbers_of(part);
    bool same = label_of_.size() == labels && view_of_.size() == views &&
                memories_.size() == memories && mine.infosets() == infosets;
    std::size_t paid = 0;
    for (std::size_t i = 0; same && i < part.parent.size(); ++i) {
        const std::size_t node = i + 1;
        const int mover = part.player[i];
        same = mine.parent[node] == std::max(part.parent[i], -1) + 1 &&
               mine.player[node] == mover && mine.action[node] == part.action[i] &&
               mine.chance[node] == part.chance[i] &&
               label[node] == entry(numbers.label, part.label[i]);
        for (std::size_t p = 0; same && p < width_; ++p) {
            same = mine.view[node * width_ + p] == entry(numbers.memory, part.view[i * width_ + p]);
        }
        if (same && mover >= 0) same = mine.index[node] == entry(numbers.infoset, part.index[i]);
        for (std::size_t p = 0; same && mover == kTerminal && p < width_; ++p, ++paid) {
            const std::size_t row = static_cast<std::size_t>(mine.index[node]) * width_ + p;
            same = paid < part.payoffs.size() && mine.payoffs[row] == part.payoffs[paid];
        }
    }
    broken_ = !same;
    return same;
}

}  // namespace fogtree
