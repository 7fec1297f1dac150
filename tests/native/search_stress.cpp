// Plays Fog-of-War chess against itself with threads and trees carried over, for the sanitizers and
// for profilers: search_stress [games] [plies] [milliseconds] [expanders] [megabytes]
//
// Every third move a second thread stops the search early, and every fourth time there is no time
// to turn to the new position; before every fifth the evaluator fails in the middle of a search.
// Beliefs are updated in pieces, by several threads. Ends with 1 if a move is illegal, the truth is
// lost from a belief, or a bound on memory is not kept.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "games/fog_chess/belief.hpp"
#include "games/fog_chess/belief_step.hpp"
#include "games/fog_chess/fen.hpp"
#include "games/fog_chess/search_player.hpp"

using namespace fogtree::fog_chess;
namespace search = fogtree::search;

namespace {

struct Plan {
    int games = 2, plies = 40;
    double seconds = 0.02;
    std::int32_t expanders = 2;
    std::int64_t megabytes = 0;
};

struct Totals {
    std::int64_t moves = 0, nodes = 0, iterations = 0, touched = 0, carried = 0;
    double seconds = 0, longest = 0;
    std::int64_t full = 0;
};

// The simple evaluator, until it has answered so often.
class Failing : public Evaluator {
public:
    static constexpr int kNever = 1 << 30;
    mutable std::atomic<int> answers{kNever};

    void children(const Position& parent, const Move* moves, int count, const EvaluatorRules& rules,
                  float* values) const override {
        if (answers.fetch_sub(1) <= 0) throw std::runtime_error("no more answers");
        simple_.children(parent, moves, count, rules, values);
    }

private:
    SimpleEvaluator simple_;
};

struct Seat {
    ChessSearch player;
    Belief belief;

    Seat(const Evaluator& values, const search::Options& options, int color, const Position& start)
        : player(values, EvaluatorRules{}, options, color, start),
          belief({start}, static_cast<Color>(color), SightRules{}, {100'000, 1, 2}) {}

    void after(Move move, const Position& now, bool own) {
        const Observation view = player.game.view(now, player.me);
        player.remember(own ? move : Move{0}, view);
        BeliefStep step(belief, own ? move : no_move, view);
        while (!step.advance({nullptr, 0.0})) {
        }
        belief = step.take();
    }
};

bool legal(const Position& position, Move move) {
    Move moves[max_moves];
    const int count = kernel().generate(position, moves);
    return std::find(moves, moves + count, move) != moves + count;
}

// Without time the search may give up and stay where it was; then it is moved again.
void know(Seat& seat, int turn = 0) {
    const std::vector<Position> some = seat.belief.sample(512, 1);
    const double seconds = turn % 4 == 3 ? 1e-4 : 1e6;
    const fogtree::TimeLimit limit(&seat.player.engine.stop_flag(), seconds);
    if (turn % 8 == 7) seat.player.move_to(some, limit, true);
    seat.player.move_to(some, limit);
}

search::Decision decided(Seat& seat, const search::Budget& budget, bool hurry) {
    std::thread stopper;
    if (hurry) {
        stopper = std::thread([&] {
            std::this_thread::sleep_for(std::chrono::duration<double>(budget.seconds / 3));
            seat.player.engine.stop();
        });
    }
    search::Decision decision = seat.player.engine.decide(budget);
    if (stopper.joinable()) stopper.join();
    seat.player.engine.stop_flag().clear();  // on a busy machine the stop comes after the end
    return decision;
}

// Whether the search tells of a failure, be it before or after it knows where it is; it must be as
// good as before.
bool fails(Seat& seat, const Failing& values, const search::Budget& budget, bool early) {
    bool told = false;
    if (!early) know(seat);
    values.answers = early ? 0 : 30;
    try {
        if (early) know(seat);
        decided(seat, budget, false);
    } catch (const std::runtime_error&) {
        told = true;
    }
    values.answers = Failing::kNever;
    return told;
}

bool play(const Plan& plan, std::uint64_t seed, Totals& totals) {
    const Failing values;
    const Position start = read_fen(start_fen);
    search::Options options;
    options.seed = seed;
    options.focus = true;     // as in chess
    options.most_roots = 64;  // so that some are left out
    options.most_bytes = plan.megabytes << 20;
    std::unique_ptr<Seat> seats[2];
    for (int p = 0; p < 2; ++p) seats[p] = std::make_unique<Seat>(values, options, p, start);
    Position now = start;
    search::Budget budget;
    budget.seconds = plan.seconds;
    budget.expanders = plan.expanders;
    for (int ply = 0; ply < plan.plies && seats[0]->player.game.player(now) >= 0; ++ply) {
        Seat& mover = *seats[now.side];
        if (mover.belief.positions().empty()) break;  // a sample may run empty; Python begins anew
        const bool truth = !mover.belief.complete() || mover.belief.contains(now);
        if (ply % 5 == 4 &&
            !fails(mover, values, {.seconds = 10, .expanders = plan.expanders}, ply % 10 == 4)) {
            std::fprintf(stderr, "a failure was not told\n");
            return false;
        }
        know(mover, ply);
        const search::Decision decision = decided(mover, budget, ply % 3 == 2);
        const auto move = static_cast<Move>(decision.action);
        const bool bounded = options.most_bytes == 0 ||
                             decision.bytes <= static_cast<std::size_t>(options.most_bytes);
        if (!truth || !bounded || !legal(now, move)) {
            std::fprintf(stderr, "truth %d bounded %d legal %d: %s\n", truth, bounded,
                         legal(now, move), write_fen(now).c_str());
            return false;
        }
        ++totals.moves;
        totals.nodes += decision.nodes;
        totals.iterations += decision.iterations;
        totals.touched += decision.touched;
        totals.carried += decision.subgame.carried_nodes;
        totals.seconds += decision.seconds;
        totals.longest = std::max(totals.longest, decision.seconds);
        totals.full += decision.full;
        const bool white_moves = now.side == white;
        now = make(now, move);
        for (int p = 0; p < 2; ++p) seats[p]->after(move, now, (p == 0) == white_moves);
    }
    return true;
}

}  // namespace

int main(int count, char** words) {
    Plan plan;
    if (count > 1) plan.games = std::atoi(words[1]);
    if (count > 2) plan.plies = std::atoi(words[2]);
    if (count > 3) plan.seconds = std::atof(words[3]) / 1000;
    if (count > 4) plan.expanders = std::atoi(words[4]);
    if (count > 5) plan.megabytes = std::atoi(words[5]);
    Totals totals;
    for (int game = 0; game < plan.games; ++game) {
        if (!play(plan, static_cast<std::uint64_t>(game), totals)) return 1;
    }
    const auto moves = static_cast<double>(std::max<std::int64_t>(totals.moves, 1));
    std::printf(
        "%lld moves, longest %.3f s; a move: %.0f nodes, %.0f carried, %.0f iterations, "
        "%.1f ns a node walked; %lld reached the bound\n",
        static_cast<long long>(totals.moves), totals.longest,
        static_cast<double>(totals.nodes) / moves, static_cast<double>(totals.carried) / moves,
        static_cast<double>(totals.iterations) / moves,
        1e9 * totals.seconds / static_cast<double>(std::max<std::int64_t>(totals.touched, 1)),
        static_cast<long long>(totals.full));
    return 0;
}
