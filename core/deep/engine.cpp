#include "deep/engine.hpp"

#include <stdexcept>

#include "common/thread_team.hpp"

namespace fogtree::deep {

namespace {

// Throws an error with the message `what` unless a network has these numbers of inputs and outputs.
void check_network(const Network& network, int inputs, int outputs, const char* what) {
    if (network.inputs() != inputs || network.outputs() != outputs)
        throw std::invalid_argument(what);
}

}  // namespace

// Throws std::invalid_argument if the options or the task make no sense for a game of this shape.
void check(const Shape& shape, const Options& options, ValueForm form, const Task& task) {
    if (form == ValueForm::none && options.method == Method::escher) {
        throw std::invalid_argument("this method needs a value network");
    }
    if (form != ValueForm::none && shape.history_features == 0) {
        throw std::invalid_argument("a value network needs inputs for histories");
    }
    if (shape.players > 32) throw std::invalid_argument("more than 32 players");
    check_threads(task.threads);
    const auto share = [](double number) { return number >= 0 && number <= 1; };
    if (task.traverser < 0 || task.traverser >= shape.players || task.traversals < 0 ||
        options.tried < 1 || !share(static_cast<double>(options.epsilon)) || options.depth < 0 ||
        !share(task.shares.regrets) || !share(task.shares.strategies) ||
        (options.method == Method::outcome && options.epsilon == 0) ||
        (options.method == Method::selfplay && options.depth > 0)) {
        throw std::invalid_argument("a number of the traversals is out of range");
    }
}

// As above, and checks that the networks fit the game.
void check(const Shape& shape, const Options& options, const Networks& networks, const Task& task) {
    check(shape, options, networks.form(), task);
    const auto players = static_cast<std::size_t>(shape.players);
    if (!networks.players.empty() && networks.players.size() != players) {
        throw std::invalid_argument("one network for each player");
    }
    for (const auto& network : networks.players) {
        check_network(*network, shape.features, shape.actions,
                      "a network that does not fit the game");
    }
    if (networks.value) {
        const int outputs = networks.form() == ValueForm::histories ? 1 : shape.actions;
        check_network(*networks.value, shape.history_features, outputs,
                      "a value network that does not fit the game");
    }
}

// As the first, and checks the networks for the last walks of a session.
void check(const Shape& shape, const Options& options, ValueForm form, const Task& task,
           const Finish& finish) {
    check(shape, options, form, task);
    if (finish.walks == 0) return;
    check(shape, options, finish.networks, task);
    if (finish.networks.form() != form)
        throw std::invalid_argument("the walks began with a value network of another form");
}

}  // namespace fogtree::deep
