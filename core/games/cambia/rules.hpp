// The rules of a game, with the names of Python's fogtree.games.cambia.rules.
#pragma once

#include <array>
#include <cstdint>

namespace fogtree::cambia {

inline constexpr int kHandLimit = 6;
inline constexpr int kMostPlayers = 6;
inline constexpr int kMostCards = 54;

using Card = std::int8_t;  // four to a rank from the ace up, then the jokers; -1: none
inline constexpr Card kNoCard = -1;

enum Rank : std::int8_t { seven = 6, eight, nine, ten, jack, queen, king, joker };

inline int rank_of(Card card) {
    return card >> 2;
}

inline constexpr std::array<std::int8_t, kMostCards> kPoints = [] {
    std::array<std::int8_t, kMostCards> out{};
    for (int card = 0; card < kMostCards; ++card) {
        const int rank = card / 4, suit = card % 4;
        const bool red_king = rank == king && (suit == 1 || suit == 2);
        out[static_cast<std::size_t>(card)] = static_cast<std::int8_t>(rank == joker ? 0
                                                                       : red_king    ? -1
                                                                                     : rank + 1);
    }
    return out;
}();

// The kind of each card: 0 to 11 ace to queen, 12 black king, 13 red king, 14 joker.
inline constexpr int kCardKinds = 15;
inline constexpr std::array<std::uint8_t, kMostCards> kKindOfCard = [] {
    std::array<std::uint8_t, kMostCards> out{};
    for (std::size_t card = 0; card < kMostCards; ++card) {
        const std::size_t rank = card / 4;
        const bool later = rank > king || (rank == king && kPoints[card] < 0);
        out[card] = static_cast<std::uint8_t>(later ? rank + 1 : rank);
    }
    return out;
}();

// The rules of one game.
struct Rules {
    int players = 2;
    int deck_size = 0;
    std::array<Card, kMostCards> deck{};
    int hand = 4;
    int looks = 2;
    int penalty = 2;
    int max_turns = 46;
    int cambia_from_round = 0;
    bool draw_discard = true;
    bool opponent_snap = true;
    bool replace_abilities = false;
    bool lock_caller = true;
    bool snap_always = false;
    bool show_wrong_snap = true;
    bool earlier_defects = false;

    bool operator==(const Rules&) const = default;
};

}  // namespace fogtree::cambia
