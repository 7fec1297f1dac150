#include "tree/history_walk.hpp"

#include <limits>
#include <stdexcept>
#include <utility>

namespace fogtree {

// Visits up to `nodes` more histories; false when none is left.
bool HistoryWalk::grow(std::int64_t nodes) {
    if (broken_) throw std::invalid_argument("the walk ended with an error");
    check_room(nodes);
    broken_ = true;  // unless it returns
    const bool more = visit_some(nodes);
    broken_ = false;
    return more;
}

// Throws std::length_error if the numbers of so many more histories would not fit into 32 bits.
void HistoryWalk::check_room(std::int64_t nodes) const {
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    const auto before = static_cast<std::int64_t>(this->nodes());
    if (before > kMost / tree->players || nodes > kMost / tree->players - before) {
        throw std::length_error("the game has too many histories for 32-bit numbers");
    }
}

// Adds an information set with these action labels (its menu), and returns its number.
std::int32_t HistoryWalk::add_infoset(int player, std::int32_t memory,
                                      const std::vector<std::int32_t>& menu) {
    const auto number = static_cast<std::int32_t>(tree->infosets());
    tree->infoset_player.push_back(static_cast<std::int8_t>(player));
    tree->infoset_actions.push_back(static_cast<std::int32_t>(menu.size()));
    infoset_memory.push_back(memory);
    const auto next = static_cast<std::int32_t>(menus.size());
    const auto [found, fresh] = menu_number_.try_emplace(menu, next);
    if (fresh) menus.push_back(menu);
    infoset_menu.push_back(found->second);
    return number;
}

// Completes the tree, once every history has been visited.
void HistoryWalk::finish() {
    if (grow(0)) throw std::invalid_argument("there are histories left to visit");
    if (streamed.nodes > 0) throw std::invalid_argument("the walk keeps no tree");
    const auto shrink = [](auto& column) { column.shrink_to_fit(); };
    shrink(tree->parent);
    shrink(tree->player);
    shrink(tree->action);
    shrink(tree->index);
    shrink(tree->chance);
    shrink(tree->view);
    shrink(tree->payoffs);
    shrink(label);
    complete();
}

// Makes a walk that has not begun build the sequence form at once, without keeping the tree.
void NativeWalk::stream() {
    if (nodes() > 0) throw std::invalid_argument("the walk has begun");
    builder_ = std::make_unique<FormBuilder>(tree->players);
}

// The sequence form of a streaming walk that has visited everything. `opposite`: set to whether the
// payoffs of two players were exact opposites.
SequenceForm NativeWalk::finished_form(bool& opposite) {
    if (!builder_) throw std::invalid_argument("the walk makes no sequence form");
    if (grow(0)) throw std::invalid_argument("there are histories left to visit");
    opposite = builder_->opposite();
    return std::exchange(builder_, {})->finish();
}

}  // namespace fogtree
