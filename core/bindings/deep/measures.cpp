// Exact expectations of traversals on a compiled tree.
#include "bindings/deep/arrays.hpp"
#include "deep/tree_engine.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace fogtree::deep;

namespace {

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

void bind_deep_measures(nb::module_& module) {
    module.def("deep_expectation", &expectation, "game"_a, "options"_a, "networks"_a,
               "value"_a.none(), "traverser"_a,
               "The exact expectation of a traversal's samples, by enumeration.");
}
