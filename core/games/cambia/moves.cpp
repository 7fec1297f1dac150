#include "games/cambia/moves.hpp"

#include <array>

namespace fogtree::cambia {

namespace {

constexpr int kPairs = kHandLimit * kHandLimit;  // of an own slot and another slot

// The actions of one kind, which have consecutive numbers.
struct Block {
    Kind kind;
    int single;     // actions in it that do not depend on the number of players
    int per_other;  // actions in it for each opponent
};

constexpr std::array<Block, 16> kBlocks{{
    {Kind::draw, 1, 0},
    {Kind::draw_discard, 1, 0},
    {Kind::cambia, 1, 0},
    {Kind::discard, 1, 0},
    {Kind::discard_ability, 1, 0},
    {Kind::replace, kHandLimit, 0},
    {Kind::look_own, kHandLimit, 0},
    {Kind::look_other, 0, kHandLimit},
    {Kind::blind_swap, 0, kPairs},
    {Kind::king_look, 0, kPairs},
    {Kind::king_keep, 1, 0},
    {Kind::king_swap, 1, 0},
    {Kind::pass, 1, 0},
    {Kind::snap_own, kHandLimit, 0},
    {Kind::snap_other, 0, kHandLimit},
    {Kind::fill_gap, kPairs, 0},
}};

// The sizes of all blocks before each kind: the number of its first action.
constexpr std::array<Block, 16> kBefore = [] {
    std::array<Block, 16> out{};
    Block sum{};
    for (std::size_t k = 0; k < kBlocks.size(); ++k) {
        out[k] = {kBlocks[k].kind, sum.single, sum.per_other};
        sum.single += kBlocks[k].single;
        sum.per_other += kBlocks[k].per_other;
    }
    return out;
}();

// The number of actions in a block, given the number of players.
int size_of(const Block& block, int players) {
    return block.single + block.per_other * (players - 1);
}

// Whether actions of this kind name one card: an opponent's.
bool names_other(Kind kind) {
    return kind == Kind::look_other || kind == Kind::snap_other;
}

// Whether actions of this kind name an own card and a slot of another player.
bool names_pair(Kind kind) {
    return kind == Kind::blind_swap || kind == Kind::king_look || kind == Kind::fill_gap;
}

}  // namespace

// The number of actions that exist with this many players, legal or not.
int action_count(int players) {
    int count = 0;
    for (const Block& block : kBlocks) count += size_of(block, players);
    return count;
}

// The number of an action: that of the first action of its kind, plus its place among those. To
// fill a gap, the opponent need not be named: the position says whose card was snapped.
int action_of(const Move& move, int players) {
    const int first = size_of(kBefore[static_cast<std::size_t>(move.kind)], players);
    if (names_other(move.kind)) return first + move.opponent * kHandLimit + move.slot;
    if (names_pair(move.kind)) {
        const int opponent = move.kind == Kind::fill_gap ? 0 : move.opponent;
        return first + (opponent * kHandLimit + move.own) * kHandLimit + move.slot;
    }
    return first + move.own;
}

// The action with this number, which must be less than action_count(players).
Move move_of(int action, int players) {
    const auto byte = [](int value) { return static_cast<std::uint8_t>(value); };
    int rest = action;
    for (const Block& block : kBlocks) {
        const int size = size_of(block, players);
        if (rest < size) {
            if (names_other(block.kind)) {
                return {block.kind, 0, byte(rest / kHandLimit), byte(rest % kHandLimit)};
            }
            if (names_pair(block.kind)) {
                return {block.kind, byte(rest / kHandLimit % kHandLimit), byte(rest / kPairs),
                        byte(rest % kHandLimit)};
            }
            return {block.kind, byte(rest), 0, 0};
        }
        rest -= size;
    }
    return {};
}

}  // namespace fogtree::cambia
