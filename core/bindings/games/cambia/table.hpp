// What Python holds of a game of Cambia.
#pragma once

#include <memory>

#include "games/cambia/position.hpp"

// A position together with its table's rules.
struct Table {
    std::shared_ptr<const fogtree::cambia::Rules> rules;
    fogtree::cambia::Position position;
};
