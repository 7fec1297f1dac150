// Cambia behind the engine's interface.
#pragma once

#include "cambia_game.hpp"
#include "engine.hpp"

namespace fogtree::deep {

class CambiaEngine : public Engine {
public:
    explicit CambiaEngine(const cambia::Rules& rules) : game_(rules) {}

    const CambiaGame& game() const { return game_; }
    const Shape& shape() const override { return game_.shape(); }
    void expand(const std::uint8_t* code, SparseRows& rows) const override {
        game_.expand(code, rows);
    }
    void expand_history(const std::uint8_t* code, SparseRows& rows) const override {
        game_.expand_history(code, rows);
    }
    Gathered traverse(const Options& options, const Networks& networks,
                      const Task& task) const override;
    std::unique_ptr<Session> begin(const Options& options, ValueForm form, const Task& task,
                                   int groups, int lanes, const Finish& finish) const override;

private:
    CambiaGame game_;
};

}  // namespace fogtree::deep
