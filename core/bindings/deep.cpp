#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "../deep/cambia_engine.hpp"
#include "../deep/cambia_match.hpp"
#include "../deep/tree_engine.hpp"
#include "arrays.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using fogtree::FlatTree;
using namespace fogtree::deep;

namespace {

template <class T>
using Table = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using OutTable = nb::ndarray<nb::numpy, T, nb::ndim<2>>;

template <class T>
OutTable<T> table_of(std::vector<T>&& values, std::size_t width) {
    auto* kept = new std::vector<T>(std::move(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    const std::size_t rows = width == 0 ? 0 : kept->size() / width;
    return OutTable<T>(kept->data(), {rows, width}, owner);
}

template <class T>
std::vector<T> flat(const Table<T>& table) {
    return {table.data(), table.data() + table.size()};
}

// Networks.

using LayerArrays = std::pair<Table<float>, In<float>>;

std::shared_ptr<Network> network_of(const std::vector<LayerArrays>& layers,
                                    const std::string& kernels_name, bool quantised) {
    std::vector<Layer> parts;
    for (const auto& [weight, bias] : layers) {
        parts.push_back({static_cast<int>(weight.shape(1)), static_cast<int>(weight.shape(0)),
                         flat<float>(weight), copied<float>(bias)});
    }
    if (kernels_name.empty()) return std::make_shared<Network>(parts, quantised);
    for (const Kernels* found : all_kernels()) {
        if (found->name == kernels_name) return std::make_shared<Network>(parts, quantised, *found);
    }
    throw std::invalid_argument("no such kernels here");
}

OutTable<float> forward(const Network& network, const Table<float>& features) {
    const auto width = static_cast<std::size_t>(network.inputs());
    const auto outputs = static_cast<std::size_t>(network.outputs());
    if (features.shape(1) != width) throw std::invalid_argument("inputs of another width");
    std::vector<float> out(features.shape(0) * outputs);
    {
        nb::gil_scoped_release release;
        SparseRows rows;
        Wanted wanted;
        for (std::size_t r = 0; r < features.shape(0); ++r) {
            for (std::size_t c = 0; c < width; ++c) {
                const float value = features.data()[r * width + c];
                if (value != 0) rows.add(static_cast<int>(c), value);
            }
            rows.end_row();
            for (std::size_t o = 0; o < outputs; ++o) {
                wanted.action.push_back(static_cast<Action>(o));
            }
            wanted.end_row();
        }
        Network::Scratch scratch;
        network.run(rows, wanted, out.data(), scratch);
    }
    return table_of(std::move(out), outputs);
}

void bind_network(nb::module_& module) {
    nb::class_<Network>(module, "DeepNetwork")
        .def(nb::new_(&network_of), "layers"_a, "kernels"_a = "", nb::kw_only(),
             "quantised"_a = false)
        .def_prop_ro("inputs", &Network::inputs)
        .def_prop_ro("outputs", &Network::outputs)
        .def("forward", &forward, "features"_a)
        .def_static("kernels", [] {
            std::vector<std::string> names;
            for (const Kernels* found : all_kernels()) names.emplace_back(found->name);
            return names;
        });
}

// Games.

template <class Expand>
OutTable<float> decoded(const Table<std::uint8_t>& codes, int bytes, int width, Expand&& expand) {
    if (codes.shape(1) != static_cast<std::size_t>(bytes)) {
        throw std::invalid_argument("codes of another width");
    }
    const auto columns = static_cast<std::size_t>(width);
    std::vector<float> out(codes.shape(0) * columns);
    {
        nb::gil_scoped_release release;
        SparseRows rows;
        for (std::size_t r = 0; r < codes.shape(0); ++r) {
            rows.clear();
            expand(codes.data() + r * codes.shape(1), rows);
            for (std::size_t k = 0; k < rows.index.size(); ++k) {
                out[r * columns + rows.index[k]] = rows.value[k];
            }
        }
    }
    return table_of(std::move(out), columns);
}

auto columns_of(const CambiaEngine& engine) {
    std::vector<std::int32_t> source, argument;
    std::vector<std::uint8_t> kind;
    std::vector<float> scale;
    for (const CodePart& part : engine.game().parts()) {
        for (int c = 0; c < part.width; ++c) {
            source.push_back(part.byte);
            kind.push_back(static_cast<std::uint8_t>(part.part));
            argument.push_back(c);
            scale.push_back(part.scale);
        }
    }
    return std::tuple(handed_over(std::move(source)), handed_over(std::move(kind)),
                      handed_over(std::move(argument)), handed_over(std::move(scale)));
}

// One step by its number: an action, a card, or who starts.
void replay_step(const CambiaGame& game, CambiaGame::State& state, int number) {
    auto& position = state.position;
    if (position.by_chance()) {
        if (position.phase == fogtree::cambia::Phase::starter) return position.start_with(number);
        if (position.stock_size == 0) CambiaGame::note_refill(state);
        for (int place = 0; place < position.pool_size(); ++place) {
            if (position.pool()[place] == number) return position.draw_at(game.rules(), place);
        }
        throw std::invalid_argument("not possible here");
    }
    std::vector<Action> legal(static_cast<std::size_t>(game.shape().most_actions));
    const int count = game.legal(state, legal.data());
    for (int a = 0; a < count; ++a) {
        if (legal[static_cast<std::size_t>(a)] == number) return game.step(state, a);
    }
    throw std::invalid_argument("not possible here");
}

CambiaGame::State replayed(const CambiaEngine& engine, const std::vector<int>& steps) {
    CambiaGame::State state = engine.game().root();
    for (const int step : steps) replay_step(engine.game(), state, step);
    return state;
}

Out<std::uint8_t> code_of(const CambiaEngine& engine, const std::vector<int>& steps, int viewer,
                          bool all_seeing) {
    if (viewer < 0 || viewer >= engine.shape().players)
        throw std::invalid_argument("no such player");
    const CambiaGame::State state = replayed(engine, steps);
    std::vector<std::uint8_t> code(static_cast<std::size_t>(engine.shape().code_bytes));
    if (all_seeing) {
        engine.game().encode_history(state, viewer, code.data());
    } else {
        engine.game().encode_for(state, viewer, code.data());
    }
    return handed_over(std::move(code));
}

void bind_games(nb::module_& module) {
    const auto width = [](int Shape::* field) {
        return [field](const Engine& engine) { return engine.shape().*field; };
    };
    nb::class_<Engine>(module, "DeepGame")
        .def_prop_ro("players", width(&Shape::players))
        .def_prop_ro("action_count", width(&Shape::actions))
        .def_prop_ro("most_actions", width(&Shape::most_actions))
        .def_prop_ro("feature_count", width(&Shape::features))
        .def_prop_ro("code_bytes", width(&Shape::code_bytes))
        .def_prop_ro("history_feature_count", width(&Shape::history_features))
        .def_prop_ro("history_code_bytes", width(&Shape::history_code_bytes))
        .def(
            "decode",
            [](const Engine& e, const Table<std::uint8_t>& codes) {
                return decoded(codes, e.shape().code_bytes, e.shape().features,
                               [&](const std::uint8_t* c, SparseRows& r) { e.expand(c, r); });
            },
            "codes"_a, "The inputs that codes stand for.")
        .def(
            "decode_history",
            [](const Engine& e, const Table<std::uint8_t>& codes) {
                return decoded(
                    codes, e.shape().history_code_bytes, e.shape().history_features,
                    [&](const std::uint8_t* c, SparseRows& r) { e.expand_history(c, r); });
            },
            "codes"_a, "The value network's inputs that codes stand for.");
    nb::class_<CambiaEngine, Engine>(module, "DeepCambia")
        .def(nb::init<const fogtree::cambia::Rules&>(), "rules"_a)
        .def("columns", &columns_of,
             "For each input: its byte, its kind (equal, bit, number, two bytes), argument, scale.")
        .def("code", &code_of, "steps"_a, "viewer"_a, "all_seeing"_a,
             "What a player sees after these actions and outcomes of chance.");
    nb::class_<TreeEngine, Engine>(module, "DeepTree")
        .def(
            "__init__",
            [](TreeEngine* self, const FlatTree& tree, const Table<float>& features,
               const In<std::int32_t>& actions, int action_count,
               const std::optional<Table<float>>& history) {
                new (self) TreeEngine(tree, flat<float>(features), copied<std::int32_t>(actions),
                                      action_count,
                                      history ? flat<float>(*history) : std::vector<float>{});
            },
            "tree"_a, "features"_a, "actions"_a, "action_count"_a, "history"_a = nb::none());
}

// Samples.

template <class T>
OutTable<T> table_of(Block<T>&& block, std::size_t width) {
    T* kept = block.data.release();
    nb::capsule owner(kept, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return OutTable<T>(kept, {width == 0 ? 0 : block.size / width, width}, owner);
}

template <class T>
Out<T> array_of(Block<T>&& block) {
    T* kept = block.data.release();
    nb::capsule owner(kept, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return Out<T>(kept, {block.size}, owner);
}

void hand_over(nb::dict& out, const std::string& name, DecisionTable&& table, const Shape& shape,
               const char* numbers_name) {
    const auto width = static_cast<std::size_t>(shape.most_actions);
    const auto key = [&](const char* part) { return nb::str((name + "_" + part).c_str()); };
    out[key("codes")] =
        table_of(std::move(table.codes), static_cast<std::size_t>(shape.code_bytes));
    out[key("actions")] = table_of(std::move(table.actions), width);
    out[key(numbers_name)] = table_of(std::move(table.numbers), width);
    out[key("weights")] = array_of(std::move(table.weights));
    out[key("players")] = array_of(std::move(table.players));
}

ArrayDict dict_of(SampleTables&& samples, const Shape& shape, std::int64_t traversals) {
    nb::dict out;
    const Counts& counts = samples.counts;
    out["nodes"] = counts.nodes;
    out["queries"] = counts.queries;
    out["traversals"] = traversals;
    out["depth"] = counts.depth;
    out["value"] = traversals > 0 ? counts.value / static_cast<double>(traversals) : 0.0;
    hand_over(out, "regret", std::move(samples.regrets), shape, "targets");
    hand_over(out, "strategy", std::move(samples.strategies), shape, "probabilities");
    out["value_codes"] = table_of(std::move(samples.values.codes),
                                  static_cast<std::size_t>(shape.history_code_bytes));
    out["value_actions"] = array_of(std::move(samples.values.actions));
    out["value_explored"] = array_of(std::move(samples.values.explored));
    out["value_returns"] = array_of(std::move(samples.values.returns));
    return nb::borrow<ArrayDict>(out);
}

// A game together with how it is traversed: what Python holds.
struct Traverser {
    std::shared_ptr<const Engine> engine;
    Options options;
};

using NetworkList = std::vector<std::shared_ptr<Network>>;

Networks networks_of(const NetworkList& players, const std::shared_ptr<Network>& value) {
    return {{players.begin(), players.end()}, value};
}

ArrayDict traverse(const Traverser& traverser, const NetworkList& players,
                   const std::shared_ptr<Network>& value, int player, std::int64_t traversals,
                   std::uint64_t iteration, std::uint64_t seed, int threads) {
    SampleTables samples;
    {
        nb::gil_scoped_release release;
        samples = traverser.engine->traverse(traverser.options, networks_of(players, value),
                                             {player, traversals, iteration, seed, threads});
    }
    return dict_of(std::move(samples), traverser.engine->shape(), traversals);
}

// Traversals whose networks run elsewhere: what Python holds.
struct HeldSession {
    using Kept = std::pair<nb::object, nb::object>;

    std::shared_ptr<const Engine> engine;  // this and the answers outlive the session
    std::vector<Kept> answers;             // of each group, in use until it asks again
    std::unique_ptr<Session> session;
    std::int64_t traversals;
};

HeldSession* begin(const Traverser& traverser, const std::string& value, int player,
                   std::int64_t traversals, std::uint64_t iteration, std::uint64_t seed,
                   int threads, int groups, int lanes) {
    const std::pair<const char*, ValueForm> forms[] = {{"", ValueForm::none},
                                                       {"actions", ValueForm::actions},
                                                       {"histories", ValueForm::histories}};
    const auto* form = std::find_if(std::begin(forms), std::end(forms),
                                    [&](const auto& known) { return value == known.first; });
    if (form == std::end(forms) || groups < 1 || lanes < threads) {
        throw std::invalid_argument("no such session");
    }
    auto session =
        traverser.engine->begin(traverser.options, form->second,
                                {player, traversals, iteration, seed, threads}, groups, lanes);
    return new HeldSession{traverser.engine,
                           std::vector<HeldSession::Kept>(static_cast<std::size_t>(groups)),
                           std::move(session), traversals};
}

// Views of the session's own memory, good until the group is resumed.
auto collect(HeldSession& held, std::size_t group) {
    const Questions* found;
    {
        nb::gil_scoped_release release;
        found = &held.session->collect(group);
    }
    using View = nb::ndarray<nb::numpy, const std::uint8_t, nb::ndim<2>>;
    const Shape& shape = held.engine->shape();
    const auto owner = nb::find(held);
    return std::tuple(
        View(found->codes.data(),
             {found->strategy_rows, static_cast<std::size_t>(shape.code_bytes)}, owner),
        found->player_rows,
        View(found->history_codes.data(),
             {found->value_rows, static_cast<std::size_t>(shape.history_code_bytes)}, owner));
}

template <class T>
using Rows = nb::ndarray<const T, nb::numpy, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Floats, or the bits of halves.
template <class T>
void resume(HeldSession& held, std::size_t group, const Rows<T>& strategies,
            const std::optional<Rows<T>>& values) {
    Answers answers;
    answers.halves = sizeof(T) == 2;
    answers.strategies = strategies.data();
    answers.strategy_rows = strategies.shape(0);
    answers.strategy_width = static_cast<int>(strategies.shape(1));
    if (values) {
        answers.values = values->data();
        answers.value_rows = values->shape(0);
        answers.value_width = static_cast<int>(values->shape(1));
    }
    HeldSession::Kept kept{nb::cast(strategies), values ? nb::cast(*values) : nb::none()};
    {
        nb::gil_scoped_release release;
        held.session->resume(group, answers);
    }
    held.answers.at(group) = std::move(kept);
}

ArrayDict finish(HeldSession& held) {
    SampleTables samples;
    {
        nb::gil_scoped_release release;
        samples = held.session->finish();
    }
    return dict_of(std::move(samples), held.engine->shape(), held.traversals);
}

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

// How good the strategies are, by traversals that learn nothing.
struct Validation {
    double mean_regret = 0;  // of a decision: its largest instantaneous regret
    double max_regret = 0;
    double strategy_entropy = 0;  // mean, in nats
    std::int64_t traversals = 0;
    int depth = 0;
    double elapsed_seconds = 0;
    std::int64_t total_nodes = 0;
};

Validation validate(const Engine& engine, const NetworkList& players,
                    const std::shared_ptr<Network>& value, std::int64_t traversals, int depth,
                    std::uint64_t seed, int threads, bool uniform_fallback, bool softmax) {
    nb::gil_scoped_release release;
    const auto start = std::chrono::steady_clock::now();
    Options options{Method::external, 0, 1, depth, uniform_fallback, softmax ? ~0u : 0u, true};
    Counts sums;
    const int count = engine.shape().players;
    for (int p = 0; p < count; ++p) {
        const std::int64_t share = (traversals + count - 1 - p) / count;
        const Task task{p, share, 0, seed, threads};
        sums.append(engine.traverse(options, networks_of(players, value), task).counts);
    }
    const Summary& summary = sums.summary;
    const auto decisions = static_cast<double>(std::max<std::int64_t>(summary.decisions, 1));
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    return {summary.regret / decisions,
            summary.regret_most,
            summary.entropy / decisions,
            traversals,
            depth,
            elapsed.count(),
            sums.nodes};
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

void bind_traverser(nb::module_& module) {
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
        .def("traverse", &traverse, "networks"_a, "value"_a.none(), "traverser"_a, "traversals"_a,
             "iteration"_a, "seed"_a, "threads"_a = 1,
             "Samples as arrays; equal arguments give equal samples with any number of threads.")
        .def("begin", &begin, nb::rv_policy::take_ownership, nb::kw_only(), "value"_a = "",
             "traverser"_a, "traversals"_a, "iteration"_a, "seed"_a, "threads"_a = 1,
             "groups"_a = 2, "lanes"_a = 4096,
             "The same for networks that run elsewhere; value: what a value network rates, actions "
             "or histories.");
    nb::class_<HeldSession>(module, "DeepSession")
        .def("collect", &collect, "group"_a,
             "Codes for the players' networks, rows of each player, codes for the value network.")
        .def("resume", &resume<float>, "group"_a, "strategies"_a, "values"_a = nb::none(),
             "Goes on with the networks' outputs, in the background.")
        .def("resume", &resume<std::uint16_t>, "group"_a, "strategies"_a, "values"_a = nb::none(),
             "The same with the bits of half-precision numbers.")
        .def("finish", &finish, "Samples as arrays, after the last question.");
    nb::class_<Validation>(module, "DeepValidation")
        .def_ro("mean_regret", &Validation::mean_regret)
        .def_ro("max_regret", &Validation::max_regret)
        .def_ro("strategy_entropy", &Validation::strategy_entropy)
        .def_ro("traversals", &Validation::traversals)
        .def_ro("depth", &Validation::depth)
        .def_ro("elapsed_seconds", &Validation::elapsed_seconds)
        .def_ro("total_nodes", &Validation::total_nodes);
    module.def("deep_validate", &validate, "game"_a, "networks"_a, "value"_a.none(), "traversals"_a,
               "depth"_a, "seed"_a, "threads"_a = 1, nb::kw_only(), "uniform_fallback"_a = false,
               "softmax"_a = false,
               "External traversals for every player in turn, exact down to a depth.");
    module.def("deep_expectation", &expectation, "game"_a, "options"_a, "networks"_a,
               "value"_a.none(), "traverser"_a,
               "The exact mean of a traversal's samples, by going through all that can happen.");
}

void bind_match(nb::module_& module) {
    using Strategies = std::vector<NetworkList>;
    nb::class_<Contestant>(module, "DeepContestant")
        .def(
            "__init__",
            [](Contestant* self, const Strategies& strategies, std::vector<double> weights,
               bool uniform_fallback, bool softmax) {
                Contestant made;
                for (const NetworkList& networks : strategies) {
                    made.strategies.push_back({networks.begin(), networks.end()});
                }
                if (weights.empty()) weights.assign(strategies.size(), 1.0);
                made.weights = std::move(weights);
                made.uniform_fallback = uniform_fallback;
                made.softmax = softmax;
                new (self) Contestant(std::move(made));
            },
            "strategies"_a, "weights"_a = std::vector<double>{}, nb::kw_only(),
            "uniform_fallback"_a = false, "softmax"_a = false,
            "Strategies of which one is drawn for each game: a network per seat, or one for all.")
        .def_static(
            "scripted",
            [](const std::string& name) {
                Contestant made;
                made.script = fogtree::cambia::script_named(name);
                return made;
            },
            "name"_a);
    nb::class_<MatchScore>(module, "CambiaScore")
        .def_ro("wins", &MatchScore::wins)
        .def_ro("draws", &MatchScore::draws)
        .def_ro("losses", &MatchScore::losses)
        .def_ro("gains", &MatchScore::gains)
        .def_ro("turns", &MatchScore::turns)
        .def_ro("decisions", &MatchScore::decisions);
    module.def(
        "cambia_match",
        [](const CambiaEngine& engine, const Contestant& first, const Contestant& second,
           std::int64_t games, std::uint64_t seed, int threads) {
            nb::gil_scoped_release release;
            return play_match(engine.game(), first, second, games, seed, threads);
        },
        "game"_a, "first"_a, "second"_a, "games"_a, "seed"_a, "threads"_a = 1,
        "Every deal once from each seat of the first; equal arguments give equal scores.");
}

}  // namespace

void bind_deep(nb::module_& module) {
    bind_network(module);
    bind_games(module);
    bind_traverser(module);
    bind_match(module);
}
