// Fog-of-War chess as a game for the search (core/search).
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include "common/hash.hpp"
#include "games/fog_chess/evaluator.hpp"
#include "games/fog_chess/kernel.hpp"
#include "games/fog_chess/position.hpp"
#include "games/fog_chess/seen_views.hpp"
#include "games/fog_chess/sight.hpp"
#include "games/fog_chess/step.hpp"
#include "search/tree.hpp"

namespace fogtree::fog_chess {

// The rules in the form that the search needs.
class SearchGame {
public:
    using State = Position;
    using Edge = search::Edge<State>;

    explicit SearchGame(const EvaluatorRules& rules) : rules_(rules), seen_(rules.sight) {}

    // Notes the searcher's view after a ply of the real game, to count repetitions.
    void saw(const Observation& view) { seen_.add(view); }

    // Who moves. The game is over once a king is captured, after fifty moves without capture or
    // pawn move, at the third occurrence of a position, or without a legal move.
    int player(const Position& p) const {
        const bool over = p.king_captured() || p.halfmove >= kFiftyMoves || p.repeats >= 2 ||
                          !kernel().has_move(p);
        return over ? search::kTerminal : static_cast<int>(p.side);
    }

    // White's payoff at the end: 1 or -1 if a king was captured, what the rules say if the mover
    // has no move, else 0.
    double payoff(const Position& p) const {
        if (!p.has_king(white)) return -1;
        if (!p.has_king(black)) return 1;
        if (!kernel().has_move(p)) {
            return static_cast<double>(p.side == white ? -rules_.stalemate : rules_.stalemate);
        }
        return 0;
    }

    // The Zobrist key of a position.
    std::uint64_t key(const Position& p) const { return p.key; }

    // Appends all children of a position; an edge's action is the move.
    void expand(const Position& p, std::vector<Edge>& out) const {
        Move moves[max_moves];
        const int count = kernel().generate(p, moves);
        for (int k = 0; k < count; ++k) out.push_back({make(p, moves[k]), moves[k], 1.0F});
    }

    // The position after a move.
    Position child(const Position& p, std::uint32_t action) const {
        return make(p, static_cast<Move>(action));
    }

    // Sets in each child how often its position has occurred on the path from the root to its
    // parent and, as far as the searcher knows, before the root.
    void count_repeats(const std::vector<const Position*>& path, std::vector<Edge>& edges) const {
        Earlier earlier[kFiftyMoves / 2];
        std::size_t count = 0;
        for (std::size_t plies = 2; plies <= path.size() && count < std::size(earlier);
             plies += 2) {
            const Position& position = *path[path.size() - plies];
            earlier[count++] = {position.key, position.repeats};
        }
        for (Edge& edge : edges) {
            edge.child.repeats = repeats(edge.child, {earlier, count}, path.size());
        }
    }

    // Sets in a position at the root how often it occurred before, by equal views of the searcher.
    // At most 1: after the third occurrence the game would be over.
    void count_repeats(Position& root) const {
        root.repeats = static_cast<std::uint8_t>(std::min(seen_.repeats(), 1));
    }

    // The hash of a player's memory after a ply: of the own move, if it was one, and of the view.
    // Both players know that a ply was made, so that every ply is remembered.
    std::uint64_t knows(std::uint64_t before, int player, const Position& parent,
                        const Edge& edge) const {
        const bool own = static_cast<int>(parent.side) == player;
        return remember(before, own ? edge.action : 0, view(edge.child, player));
    }

    // What a player sees of a position.
    Observation view(const Position& p, int player) const {
        const auto color = static_cast<Color>(player);
        return observe(p, color, kernel().sight(p, color, rules_.sight));
    }

    // A player's memory after an own action (0: none) and a view, as a hash.
    static std::uint64_t remember(std::uint64_t before, std::uint32_t action,
                                  const Observation& view) {
        return combine_hashes(combine_hashes(before, action), hash(view));
    }

    const EvaluatorRules& rules() const { return rules_; }

private:
    static constexpr int kFiftyMoves = 100;  // plies

    // A count as a byte, at most 255.
    static std::uint8_t limited(int repeats) {
        return static_cast<std::uint8_t>(std::min(repeats, 255));
    }

    struct Earlier {  // a position on the path, with the same side to move as the children
        std::uint64_t key;
        std::uint8_t repeats;
    };

    // How often the child's position has occurred on the path of the search, or before its root as
    // far as the searcher's views tell. `path` has the latest position first; `plies`: from the
    // root to the child.
    std::uint8_t repeats(const Position& child, std::span<const Earlier> path,
                         std::size_t plies) const {
        if (child.halfmove == 0) return 0;
        for (const Earlier& before : path) {
            if (before.key == child.key) return limited(before.repeats + 1);
        }
        return child.halfmove < plies ? std::uint8_t{0} : limited(seen_.repeats(child));
    }

    EvaluatorRules rules_;
    SeenViews seen_;
};

// An Evaluator in the form that the search needs: values are White's.
class SearchEvaluator {
public:
    SearchEvaluator(const Evaluator& evaluator, const EvaluatorRules& rules)
        : evaluator_(evaluator), rules_(rules) {}

    // Writes White's value of every child of a position.
    void evaluate(const Position& parent, const std::vector<search::Edge<Position>>& edges,
                  float* values) const {
        Move moves[max_moves] = {};
        const int count = static_cast<int>(edges.size());
        for (int k = 0; k < count; ++k) {
            moves[k] = static_cast<Move>(edges[static_cast<std::size_t>(k)].action);
        }
        evaluator_.children(parent, moves, count, rules_, values);
        if (parent.side == white) return;
        for (int k = 0; k < count; ++k) values[k] = -values[k];
    }

    // White's value of a position: that of the child which is best for its mover; 0 without a move.
    double evaluate(const Position& p) const {
        Move moves[max_moves];
        float values[max_moves];
        const int count = kernel().generate(p, moves);
        if (count == 0) return 0;
        evaluator_.children(p, moves, count, rules_, values);
        const auto best = static_cast<double>(*std::max_element(values, values + count));
        return p.side == white ? best : -best;
    }

private:
    const Evaluator& evaluator_;
    EvaluatorRules rules_;
};

}  // namespace fogtree::fog_chess
