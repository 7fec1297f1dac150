// One player's search, with its game, evaluator and the player's history.
#pragma once

#include <cstdint>
#include <vector>

#include "games/fog_chess/search_game.hpp"
#include "search/search.hpp"

namespace fogtree::fog_chess {

// One player's search of Fog-of-War chess, with everything that it refers to.
struct ChessSearch {
    SearchGame game;
    SearchEvaluator evaluator;
    search::Search<SearchGame, SearchEvaluator> engine;
    int me;                           // the searching player
    std::uint64_t memory = 0;         // hash of our moves and views so far
    std::vector<std::uint64_t> path;  // our information set after each ply since the root

    // A search for `player` of a game that begins at `start`, of which each player knows its own
    // view.
    ChessSearch(const Evaluator& values, const EvaluatorRules& rules,
                const search::Options& options, int player, const Position& start)
        : game(rules),
          evaluator(values, rules),
          engine(game, evaluator, options, player),
          me(player) {
        std::uint64_t knows[2];
        for (int p = 0; p < 2; ++p) knows[p] = SearchGame::remember(0, 0, game.view(start, p));
        memory = knows[me];
        game.saw(game.view(start, me));
        engine.begin(start, knows[0], knows[1]);
    }

    // Takes in a ply of the real game: our move, or 0 if the other side moved, and our new view.
    void remember(Move move, const Observation& view) {
        memory = SearchGame::remember(memory, move, view);
        path.push_back(memory);
        game.saw(view);
    }

    // Forgets the game so far: this view is all that is known. The path gets two entries, since
    // move_to() would keep an unsearched tree of the start position after a path of one.
    void restart(const Observation& view) {
        remember(0, view);
        path.push_back(memory);
    }

    // Makes these positions, all that are possible or a sample of them, the roots of the search;
    // see Search::move_to.
    void move_to(const std::vector<Position>& possible, const TimeLimit& limit = {},
                 bool give_up = false) {
        if (engine.move_to(memory, possible, path, {}, limit, give_up) && !engine.fresh())
            path.clear();
    }
};

}  // namespace fogtree::fog_chess
