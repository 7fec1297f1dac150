// Networks.
#include "bindings/deep/arrays.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace fogtree::deep;

namespace {

using LayerArrays = std::pair<Table<float>, In<float>>;

// A network from the weights and biases of its layers, with the named kernels or the fastest ones.
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

// All outputs of a network for rows of dense inputs.
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

}  // namespace

// Adds DeepNetwork to the module.
void bind_deep_network(nb::module_& module) {
    nb::class_<Network>(module, "DeepNetwork",
                        "A multilayer perceptron with rectified hidden layers.")
        .def(nb::new_(&network_of), "layers"_a, "kernels"_a = "", nb::kw_only(),
             "quantised"_a = false,
             "Layers are (weight, bias), weight of shape (outputs, inputs); a quantised network "
             "computes its hidden layers in integers.")
        .def_prop_ro("inputs", &Network::inputs, "Number of inputs.")
        .def_prop_ro("outputs", &Network::outputs, "Number of outputs.")
        .def("forward", &forward, "features"_a, "All outputs, one row for each row of inputs.")
        .def_static(
            "kernels",
            [] {
                std::vector<std::string> names;
                for (const Kernels* found : all_kernels()) names.emplace_back(found->name);
                return names;
            },
            "The instruction sets that this processor supports, the fastest last.");
}
