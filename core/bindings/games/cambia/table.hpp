// A position of Cambia as Python holds it.
#pragma once

#include <memory>

#include "games/cambia/position.hpp"

// A position together with its rules.
struct Table {
    std::shared_ptr<const fogtree::cambia::Rules> rules;
    fogtree::cambia::Position position;
};
