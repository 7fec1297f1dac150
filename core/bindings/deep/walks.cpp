// Walks through a game: on the processor alone, or in two halves around an accelerator.
#include <algorithm>
#include <deque>
#include <stdexcept>

#include "bindings/deep/arrays.hpp"
#include "bindings/signals.hpp"
#include "common/in_use.hpp"
#include "deep/tree_engine.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace fogtree::deep;

namespace {

constexpr std::pair<double, double> kEverything{1.0, 1.0};  // probabilities that keep all samples
constexpr int kMostGroups = 64;

// A game and the options of its traversals: Python's DeepTraverser.
struct Traverser {
    std::shared_ptr<const Engine> engine;
    Options options;
};

// A task from the arguments that Python passes.
Task task_of(int player, std::int64_t traversals, std::uint64_t iteration, std::uint64_t seed,
             int threads, std::pair<double, double> keep_probabilities, std::size_t memory) {
    const auto [regrets, strategies] = keep_probabilities;
    return {player, traversals, iteration, seed, threads, {regrets, strategies}, memory};
}

// Runs all traversals of a task with networks on the processor; Ctrl-C ends them.
CollectedSamples traverse(const Traverser& traverser, const NetworkList& players,
                          const std::shared_ptr<Network>& value, int player,
                          std::int64_t traversals, std::uint64_t iteration, std::uint64_t seed,
                          int threads, std::pair<double, double> keep_probabilities,
                          std::size_t memory) {
    const Networks networks = networks_of(players, value);
    const Task task =
        task_of(player, traversals, iteration, seed, threads, keep_probabilities, memory);
    return interruptible([&](fogtree::Interruption& interruption) {
        return traverser.engine->traverse(traverser.options, networks, task, interruption);
    });
}

// Traversals whose networks run elsewhere: Python's DeepSession.
struct HeldSession {
    using Kept = std::pair<nb::object, nb::object>;

    std::shared_ptr<const Engine> engine;  // this and the answers outlive the session
    std::vector<Kept> answers;             // of each group, in use until it asks again
    std::unique_ptr<Session> session;
    ValueForm form;
    std::size_t threads;
    std::deque<fogtree::InUse> in_use;  // by group; each may have a thread of its own

    // Claims a group for this call; throws if another thread uses it.
    fogtree::InUse::Alone alone(std::size_t group) {
        if (group >= in_use.size()) throw std::out_of_range("no such group");
        return in_use[group].alone();
    }
};

// Begins a session; `value` names the form of the value network ("": none).
HeldSession* begin(const Traverser& traverser, const std::string& value, int player,
                   std::int64_t traversals, std::uint64_t iteration, std::uint64_t seed,
                   int threads, int groups, int walks, std::pair<double, double> keep_probabilities,
                   std::size_t memory, const NetworkList& networks,
                   const std::shared_ptr<Network>& value_network, std::size_t finish_below) {
    const std::pair<const char*, ValueForm> forms[] = {{"", ValueForm::none},
                                                       {"actions", ValueForm::actions},
                                                       {"histories", ValueForm::histories}};
    const auto* form = std::find_if(std::begin(forms), std::end(forms),
                                    [&](const auto& known) { return value == known.first; });
    if (form == std::end(forms) || groups < 1 || groups > kMostGroups || walks < threads) {
        throw std::invalid_argument(
            "an unknown form of values, or a wrong number of groups or walks");
    }
    nb::gil_scoped_release release;
    auto session = traverser.engine->begin(
        traverser.options, form->second,
        task_of(player, traversals, iteration, seed, threads, keep_probabilities, memory), groups,
        walks, {networks_of(networks, value_network), finish_below});
    auto held = std::make_unique<HeldSession>();
    held->engine = traverser.engine;
    held->answers.resize(static_cast<std::size_t>(groups));
    held->session = std::move(session);
    held->form = form->second;
    held->threads = static_cast<std::size_t>(threads);
    for (int g = 0; g < groups; ++g) held->in_use.emplace_back("the group of walks");
    return held.release();
}

// The largest divisor (a power of two, at most 64) by which the length of every section can be
// divided without losing rows in use.
int shortening_divisor(const BatchSizes& sizes, const BatchSizes& used) {
    int parts = 64;
    const auto fits = [&](std::size_t BatchSizes::* field) {
        return used.*field <= sizes.*field / static_cast<std::size_t>(parts);
    };
    while (parts > 1 && !(fits(&BatchSizes::rows) && fits(&BatchSizes::wanted) &&
                          fits(&BatchSizes::value_rows) && fits(&BatchSizes::value_wanted))) {
        parts /= 2;
    }
    return parts;
}

// Waits for the questions of a group and returns them (see the docstring of DeepSession.collect).
// The arrays are views of the session's own memory, valid until the group is resumed.
auto collect(HeldSession& held, std::size_t group) {
    const auto alone = held.alone(group);
    const Questions* found;
    {
        nb::gil_scoped_release release;
        found = &held.session->collect(group);
    }
    using Bytes = nb::ndarray<nb::numpy, const std::uint8_t, nb::ndim<2>>;
    using Pairs = nb::ndarray<nb::numpy, const std::uint16_t, nb::ndim<2>>;
    const Shape& shape = held.engine->shape();
    const BatchSizes& sizes = held.session->sizes();
    const std::size_t rows = held.threads * sizes.rows, values = held.threads * sizes.value_rows;
    const auto owner = nb::find(held);
    return std::tuple(
        found->asked, shortening_divisor(sizes, found->fullest),
        Bytes(found->codes.data(), {rows, static_cast<std::size_t>(shape.code_bytes)}, owner),
        Out<const std::uint8_t>(found->players.data(), {rows}, owner),
        Pairs(found->wanted.data(), {found->wanted.size() / 2, 2}, owner),
        Bytes(found->history_codes.data(),
              {values, static_cast<std::size_t>(shape.history_code_bytes)}, owner),
        Pairs(found->value_wanted.data(), {found->value_wanted.size() / 2, 2}, owner));
}

// Hands the outputs of the networks to a group of walks, and keeps the arrays alive while it reads
// them.
void resume(HeldSession& held, std::size_t group, const In<float>& strategies,
            const std::optional<In<float>>& values) {
    Answers answers{strategies.data(), nullptr, strategies.size(), 0};
    if (values) {
        answers.values = values->data();
        answers.value_count = values->size();
    }
    HeldSession::Kept kept{nb::cast(strategies), values ? nb::cast(*values) : nb::none()};
    const auto alone = held.alone(group);
    {
        nb::gil_scoped_release release;
        held.session->resume(group, answers);
    }
    std::swap(held.answers.at(group), kept);
}

// The samples of a session all of whose walks have ended.
CollectedSamples finish(HeldSession& held) {
    std::vector<std::unique_ptr<fogtree::InUse::Alone>> alone;
    for (fogtree::InUse& group : held.in_use)
        alone.push_back(std::make_unique<fogtree::InUse::Alone>(group));
    nb::gil_scoped_release release;
    return held.session->finish();
}

// The sampling method with this name in Python.
Method method_of(const std::string& name) {
    const std::pair<const char*, Method> names[] = {
        {"external", Method::external}, {"outcome", Method::outcome}, {"robust", Method::robust},
        {"escher", Method::escher},     {"rollout", Method::rollout}, {"value", Method::value},
        {"selfplay", Method::selfplay}};
    for (const auto& [known, method] : names) {
        if (name == known) return method;
    }
    throw std::invalid_argument("no such method");
}

// The exact means of the samples of one traversal of a compiled game, as arrays by name.
ArrayDict expectation(const TreeEngine& engine, const Options& options, const NetworkList& players,
                      const std::shared_ptr<Network>& value, int traverser) {
    auto found = engine.expectation(options, networks_of(players, value), traverser);
    nb::dict out;
    out["regret"] = handed_over(std::move(found.regret));
    out["strategy"] = handed_over(std::move(found.strategy));
    out["visits"] = handed_over(std::move(found.visits));
    out["value"] = found.value;
    out["probability"] = found.probability;
    out["walks"] = found.walks;
    return nb::borrow<ArrayDict>(out);
}

}  // namespace

// Adds DeepOptions, DeepTraverser, DeepSession and deep_expectation to the module.
void bind_deep_walks(nb::module_& module) {
    nb::class_<Options>(module, "DeepOptions", "How traversals sample a game.")
        .def(
            "__init__",
            [](Options* self, const std::string& method, float epsilon, int tried, int depth,
               bool uniform_fallback, bool softmax, const std::vector<int>& softmax_players) {
                std::uint32_t players = softmax ? ~0u : 0u;
                for (const int player : softmax_players) {
                    if (player < 0 || player > 31) throw std::invalid_argument("no such player");
                    players |= 1u << player;
                }
                new (self)
                    Options{method_of(method), epsilon, tried, depth, uniform_fallback, players};
            },
            nb::kw_only(), "method"_a = "external", "epsilon"_a = 0.6f, "tried"_a = 2,
            "depth"_a = 0, "uniform_fallback"_a = false, "softmax"_a = false,
            "softmax_players"_a = std::vector<int>{},
            "method: external, outcome, robust, escher, rollout, value or selfplay; epsilon: "
            "probability to explore; tried: actions that robust tries at a decision; depth: "
            "decisions after which values are estimated (0: never); uniform_fallback: play "
            "uniformly, not the best action, where no advantage is positive; softmax: outputs are "
            "logits of a strategy, not advantages, for all players or for softmax_players.");
    nb::class_<Traverser>(module, "DeepTraverser", "Traversals of one game with fixed options.")
        .def(
            "__init__",
            [](Traverser* self, std::shared_ptr<Engine> game, const Options& options) {
                new (self) Traverser{std::move(game), options};
            },
            "game"_a, "options"_a)
        .def("traverse", &traverse, "networks"_a, "value"_a.none(), "traverser"_a, "traversals"_a,
             "iteration"_a, "seed"_a, "threads"_a = 1, "keep_probabilities"_a = kEverything,
             "memory"_a = 0,
             "Run traversals with networks on the processor; equal arguments give equal samples "
             "with any number of threads. keep_probabilities: of a regret row and of a strategy "
             "row; memory: the most bytes of samples (0: unlimited).")
        .def("begin", &begin, nb::rv_policy::take_ownership, nb::kw_only(), "value"_a = "",
             "traverser"_a, "traversals"_a, "iteration"_a, "seed"_a, "threads"_a = 1,
             "groups"_a = 2, "walks"_a = 4096, "keep_probabilities"_a = kEverything, "memory"_a = 0,
             "networks"_a = NetworkList{}, "value_network"_a = nb::none(), "finish_below"_a = 0,
             "Begin traversals whose networks run elsewhere, in groups of suspended walks. value: "
             "what the value network rates, actions or histories (empty: there is none). A thread "
             "that has at most finish_below walks of a group left, and no traversal to begin, "
             "finishes them with the networks given here.");
    nb::class_<HeldSession>(module, "DeepSession",
                            "Traversals in progress whose networks run elsewhere.")
        .def_prop_ro(
            "sections", [](const HeldSession& held) { return held.threads; },
            "Number of equal sections of a batch; row numbers count within a section.")
        .def("collect", &collect, "group"_a,
             "Wait for a group's questions: number of rows, the number by which the length of "
             "every section may be divided, codes for the players' networks, the players, the "
             "wanted outputs as (row, output), codes of histories for the value network, and their "
             "wanted outputs.")
        .def("resume", &resume, "group"_a, "strategies"_a, "values"_a = nb::none(),
             "Continue a group in the background with the outputs that it asked for, in the order "
             "of its questions.")
        .def("finish", &finish, "The samples, after all traversals have ended.");
    module.def("deep_expectation", &expectation, "game"_a, "options"_a, "networks"_a,
               "value"_a.none(), "traverser"_a,
               "The exact means of a traversal's samples, by enumerating all its random choices; "
               "for tests.");
}
