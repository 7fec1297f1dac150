// Walks through a game: on the processor alone, or in two halves around an accelerator.
#include <algorithm>

#include "bindings/deep/arrays.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace fogtree::deep;

namespace {

constexpr std::pair<double, double> kEverything{1.0, 1.0};

// A game together with how it is traversed: what Python holds.
struct Traverser {
    std::shared_ptr<const Engine> engine;
    Options options;
};

CollectedSamples traverse(const Traverser& traverser, const NetworkList& players,
                          const std::shared_ptr<Network>& value, int player,
                          std::int64_t traversals, std::uint64_t iteration, std::uint64_t seed,
                          int threads, std::pair<double, double> shares, std::size_t memory) {
    nb::gil_scoped_release release;
    return traverser.engine->traverse(
        traverser.options, networks_of(players, value),
        {player, traversals, iteration, seed, threads, {shares.first, shares.second}, memory});
}

// Traversals whose networks run elsewhere: what Python holds.
struct HeldSession {
    using Kept = std::pair<nb::object, nb::object>;

    std::shared_ptr<const Engine> engine;  // this and the answers outlive the session
    std::vector<Kept> answers;             // of each group, in use until it asks again
    std::unique_ptr<Session> session;
    ValueForm form;
    std::size_t threads;
};

HeldSession* begin(const Traverser& traverser, const std::string& value, int player,
                   std::int64_t traversals, std::uint64_t iteration, std::uint64_t seed,
                   int threads, int groups, int lanes, std::pair<double, double> shares,
                   std::size_t memory, const NetworkList& networks,
                   const std::shared_ptr<Network>& value_network, std::size_t few) {
    const std::pair<const char*, ValueForm> forms[] = {{"", ValueForm::none},
                                                       {"actions", ValueForm::actions},
                                                       {"histories", ValueForm::histories}};
    const auto* form = std::find_if(std::begin(forms), std::end(forms),
                                    [&](const auto& known) { return value == known.first; });
    if (form == std::end(forms) || groups < 1 || lanes < threads) {
        throw std::invalid_argument("no such session");
    }
    nb::gil_scoped_release release;
    auto session = traverser.engine->begin(
        traverser.options, form->second,
        {player, traversals, iteration, seed, threads, {shares.first, shares.second}, memory},
        groups, lanes, {networks_of(networks, value_network), few});
    return new HeldSession{traverser.engine,
                           std::vector<HeldSession::Kept>(static_cast<std::size_t>(groups)),
                           std::move(session), form->second, static_cast<std::size_t>(threads)};
}

// By what sections may be divided so that what is in use stays; 1: they are full.
int unused(const BatchSizes& sizes, const BatchSizes& used) {
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

// Views of the session's own memory, good until the group is resumed.
auto collect(HeldSession& held, std::size_t group) {
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
        found->asked, unused(sizes, found->fullest),
        Bytes(found->codes.data(), {rows, static_cast<std::size_t>(shape.code_bytes)}, owner),
        Out<const std::uint8_t>(found->players.data(), {rows}, owner),
        Pairs(found->wanted.data(), {found->wanted.size() / 2, 2}, owner),
        Bytes(found->history_codes.data(),
              {values, static_cast<std::size_t>(shape.history_code_bytes)}, owner),
        Pairs(found->value_wanted.data(), {found->value_wanted.size() / 2, 2}, owner));
}

void resume(HeldSession& held, std::size_t group, const In<float>& strategies,
            const std::optional<In<float>>& values) {
    Answers answers{strategies.data(), nullptr, strategies.size(), 0};
    if (values) {
        answers.values = values->data();
        answers.value_count = values->size();
    }
    HeldSession::Kept kept{nb::cast(strategies), values ? nb::cast(*values) : nb::none()};
    {
        nb::gil_scoped_release release;
        held.session->resume(group, answers);
    }
    std::swap(held.answers.at(group), kept);
}

CollectedSamples finish(HeldSession& held) {
    nb::gil_scoped_release release;
    return held.session->finish();
}

Method method_of(const std::string& name) {
    const std::pair<const char*, Method> names[] = {
        {"external", Method::external}, {"outcome", Method::outcome}, {"robust", Method::robust},
        {"escher", Method::escher},     {"rollout", Method::rollout}, {"value", Method::value}};
    for (const auto& [known, method] : names) {
        if (name == known) return method;
    }
    throw std::invalid_argument("no such method");
}

}  // namespace

void bind_deep_walks(nb::module_& module) {
    nb::class_<Options>(module, "DeepOptions")
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
            "Which outputs are logarithms of a strategy: all players' networks', or some'.");
    nb::class_<Traverser>(module, "DeepTraverser")
        .def(
            "__init__",
            [](Traverser* self, std::shared_ptr<Engine> game, const Options& options) {
                new (self) Traverser{std::move(game), options};
            },
            "game"_a, "options"_a)
        .def(
            "traverse", &traverse, "networks"_a, "value"_a.none(), "traverser"_a, "traversals"_a,
            "iteration"_a, "seed"_a, "threads"_a = 1, "shares"_a = kEverything, "memory"_a = 0,
            "Equal arguments give equal samples with any number of threads; shares: of the "
            "regrets and strategies met, how many are kept; memory: most bytes of samples, 0: any.")
        .def("begin", &begin, nb::rv_policy::take_ownership, nb::kw_only(), "value"_a = "",
             "traverser"_a, "traversals"_a, "iteration"_a, "seed"_a, "threads"_a = 1,
             "groups"_a = 2, "lanes"_a = 4096, "shares"_a = kEverything, "memory"_a = 0,
             "networks"_a = NetworkList{}, "value_network"_a = nb::none(), "few"_a = 0,
             "The same for networks that run elsewhere; value: what a value network rates, actions "
             "or histories. The networks given answer a thread's last walks, when they are few.");
    nb::class_<HeldSession>(module, "DeepSession")
        .def_prop_ro(
            "sections", [](const HeldSession& held) { return held.threads; },
            "A batch's tables have so many equal parts; rows are counted within one.")
        .def("collect", &collect, "group"_a,
             "Rows asked for, by what sections may be divided, then tables: codes, whose they are, "
             "wanted outputs as (row, output), "
             "histories, and wanted outputs of these.")
        .def("resume", &resume, "group"_a, "strategies"_a, "values"_a = nb::none(),
             "Goes on with the wanted outputs, in the background.")
        .def("finish", &finish, "Samples, after the last question.");
}
