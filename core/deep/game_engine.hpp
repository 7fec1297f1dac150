// The engine interface for one game. `traverse` and `begin` are defined in game_engine_impl.hpp,
// which only the file that instantiates the engine of a game includes.
#pragma once

#include <memory>
#include <utility>

#include "deep/engine.hpp"

namespace fogtree::deep {

// Runs training walks of one game; the arguments of the constructor make the game.
template <DeepGame Game>
class GameEngine : public Engine {
public:
    template <class... Arguments>
    explicit GameEngine(Arguments&&... arguments) : game_(std::forward<Arguments>(arguments)...) {}

    const Game& game() const { return game_; }
    const Shape& shape() const override { return game_.shape(); }
    void expand(const std::uint8_t* code, SparseRows& rows) const override {
        game_.expand(code, rows);
    }
    void expand_history(const std::uint8_t* code, SparseRows& rows) const override {
        game_.expand_history(code, rows);
    }
    CollectedSamples traverse(const Options& options, const Networks& networks, const Task& task,
                              Interruption& interruption) const override;
    std::unique_ptr<Session> begin(const Options& options, ValueForm form, const Task& task,
                                   int groups, int walks, const Finish& finish) const override;

private:
    Game game_;
};

}  // namespace fogtree::deep
