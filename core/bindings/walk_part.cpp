#include "bindings/walk_part.hpp"

#include <stdexcept>
#include <type_traits>
#include <utility>

namespace nb = nanobind;

namespace fogtree {

// The arrays, which are moved, and the lists, by name.
ArrayDict WalkPart::to_dict() && {
    nb::dict out;
    each_array(*this, [&out](const char* name, auto& column) {
        out[name] = nb::cast(handed_over(std::move(column)));
    });
    each_list(*this, [&out](const char* name, const nb::list& objects) { out[name] = objects; });
    return ArrayDict(std::move(out));
}

// A part from what to_dict() has returned in another process.
WalkPart WalkPart::from_dict(const nb::dict& dict) {
    WalkPart part;
    each_array(part, [&dict](const char* name, auto& column) {
        using Number = typename std::remove_reference_t<decltype(column)>::value_type;
        column = copied(nb::cast<In<Number>>(dict[name]));
    });
    each_list(part, [&dict](const char* name, nb::list& objects) {
        objects = nb::cast<nb::list>(dict[name]);
    });
    return part;
}

// Compares the lengths of the arrays.
void WalkPart::check(std::size_t players) const {
    const std::size_t nodes = parent.size(), left = pending_parent.size();
    const bool fit =
        action.size() == nodes && index.size() == nodes && label.size() == nodes &&
        player.size() == nodes && chance.size() == nodes && view.size() == nodes * players &&
        payoffs.size() % players == 0 && memory_action.size() == memory_before.size() &&
        memory_view.size() == memory_before.size() &&
        infoset_memory.size() == infoset_player.size() &&
        infoset_actions.size() == infoset_player.size() &&
        infoset_names.size() == infoset_player.size() &&
        infoset_views.size() == infoset_player.size() && pending_action.size() == left &&
        pending_label.size() == left && pending_depth.size() == left &&
        pending_player.size() == left && pending_chance.size() == left &&
        pending_share.size() == left && pending_view.size() == left * players;
    if (!fit) throw std::invalid_argument("the arrays of a part do not fit together");
}

}  // namespace fogtree
