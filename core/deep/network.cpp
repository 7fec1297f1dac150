#include "deep/network.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace fogtree::deep {

namespace {

constexpr std::size_t kRows = 32;  // rows that go through the layers together

// The count rounded up to a multiple of kPanel.
int padded(int count) {
    return (count + kPanel - 1) / kPanel * kPanel;
}

// Converts a number that is not negative.
std::size_t size(int value) {
    return static_cast<std::size_t>(value);
}

// Throws unless the layers fit together and all numbers are finite.
void check(const std::vector<Layer>& layers) {
    if (layers.empty()) throw std::invalid_argument("a network without layers");
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const Layer& layer = layers[i];
        const bool fits = layer.inputs > 0 && layer.outputs > 0 &&
                          layer.weight.size() == size(layer.inputs) * size(layer.outputs) &&
                          layer.bias.size() == size(layer.outputs) &&
                          (i == 0 || layer.inputs == layers[i - 1].outputs);
        if (!fits) throw std::invalid_argument("layers that do not fit together");
        const auto finite = [](float number) { return std::isfinite(number); };
        if (!std::all_of(layer.weight.begin(), layer.weight.end(), finite) ||
            !std::all_of(layer.bias.begin(), layer.bias.end(), finite)) {
            throw std::invalid_argument("a network with numbers that are not finite");
        }
    }
    if (layers[0].inputs > 65535 || layers.back().outputs > 32767) {
        throw std::invalid_argument("a network with too many inputs or outputs");
    }
}

}  // namespace

// A hidden layer's weights in the order in which the kernels read them, padded with zeros: in the
// `first` layer input by input, in the others in panels of kPanel outputs, each input by input.
Network::Hidden Network::hidden_of(const Layer& layer, bool first, int padded_inputs) {
    Hidden hidden;
    hidden.inputs = padded_inputs;
    hidden.width = padded(layer.outputs);
    hidden.weight.assign(size(padded_inputs) * size(hidden.width), 0.0f);
    hidden.bias.assign(size(hidden.width), 0.0f);
    std::copy(layer.bias.begin(), layer.bias.end(), hidden.bias.begin());
    for (int o = 0; o < layer.outputs; ++o) {
        for (int k = 0; k < layer.inputs; ++k) {
            const std::size_t place =
                first ? size(k) * size(hidden.width) + size(o)
                      : (size(o / kPanel) * size(padded_inputs) + size(k)) * kPanel +
                            size(o % kPanel);
            hidden.weight[place] = layer.weight[size(o) * size(layer.inputs) + size(k)];
        }
    }
    return hidden;
}

// Sets the weights of a hidden layer as 8-bit numbers with one scale per output: in panels of
// kPanel outputs, in which four inputs of one output stand side by side.
void Network::quantise(const Layer& layer, Hidden& hidden) {
    hidden.bytes.assign(hidden.weight.size(), 0);
    hidden.scale.assign(size(hidden.width), 0.0f);
    for (int o = 0; o < layer.outputs; ++o) {
        const float* row = layer.weight.data() + size(o) * size(layer.inputs);
        float most = 0;
        for (int k = 0; k < layer.inputs; ++k) most = std::max(most, std::abs(row[k]));
        if (most == 0) continue;
        hidden.scale[size(o)] = most / 127;
        for (int k = 0; k < layer.inputs; ++k) {
            const std::size_t panel = size(o / kPanel) * size(hidden.inputs) * kPanel;
            const std::size_t place =
                panel + size(k / 4 * 4) * kPanel + size(o % kPanel * 4 + k % 4);
            hidden.bytes[place] = static_cast<std::int8_t>(std::lround(row[k] / most * 127));
        }
    }
}

// Copies the layers in the form that the kernels want: rows padded, and the hidden layers after the
// first, whose inputs are not sparse, as bytes if `quantised`. The last layer is the head.
Network::Network(const std::vector<Layer>& layers, bool quantised, const Kernels& kernels)
    : kernels_(&kernels), quantised_(quantised) {
    check(layers);
    inputs_ = layers.front().inputs;
    outputs_ = layers.back().outputs;
    for (std::size_t i = 0; i + 1 < layers.size(); ++i) {
        const int inputs = i == 0 ? layers[i].inputs : hidden_.back().width;
        hidden_.push_back(hidden_of(layers[i], i == 0, inputs));
        if (quantised && i > 0) quantise(layers[i], hidden_.back());
    }
    const Layer& head = layers.back();
    head_width_ = padded(head.inputs);
    head_.assign(size(outputs_) * size(head_width_), 0.0f);
    for (int o = 0; o < outputs_; ++o) {
        std::copy_n(head.weight.begin() + o * head.inputs, head.inputs,
                    head_.begin() + static_cast<std::ptrdiff_t>(o) * head_width_);
    }
    head_bias_ = head.bias;
}

// Writes the first hidden layer of the rows `from` to `from + count - 1` to `out`; without hidden
// layers their inputs as dense rows, which the head reads.
void Network::first_layer(const SparseRows& rows, std::size_t from, std::size_t count,
                          float* out) const {
    for (std::size_t r = from; r < from + count; ++r) {
        const std::size_t begin = rows.first[r], length = rows.first[r + 1] - begin;
        if (hidden_.empty()) {  // the head itself reads the inputs
            std::fill_n(out, head_width_, 0.0f);
            for (std::size_t k = begin; k < begin + length; ++k) out[rows.index[k]] = rows.value[k];
            out += head_width_;
        } else {
            const Hidden& layer = hidden_[0];
            kernels_->sparse(rows.index.data() + begin, rows.value.data() + begin, length,
                             layer.weight.data(), layer.bias.data(), layer.width, out);
            out += layer.width;
        }
    }
}

// Computes hidden layer i of `rows` rows from the layer before it: both are in scratch.now.
void Network::next_layer(std::size_t i, int rows, Scratch& scratch) const {
    const Hidden& layer = hidden_[i];
    if (quantised_) {
        scratch.bytes.resize(kRows * size(layer.inputs));
        scratch.scales.resize(kRows);
        for (std::size_t r = 0; r < size(rows); ++r) {
            scratch.scales[r] =
                kernels_->quantise(scratch.now.data() + r * size(layer.inputs), layer.inputs,
                                   scratch.bytes.data() + r * size(layer.inputs));
        }
        kernels_->quantised(scratch.bytes.data(), scratch.scales.data(), rows, layer.bytes.data(),
                            layer.scale.data(), layer.bias.data(), layer.inputs, layer.width,
                            scratch.next.data());
    } else {
        kernels_->dense(scratch.now.data(), layer.inputs, rows, layer.weight.data(),
                        layer.bias.data(), layer.inputs, layer.width, scratch.next.data());
    }
    std::swap(scratch.now, scratch.next);
}

// Computes the wanted outputs, kRows rows at a time; `out` gets them row after row.
void Network::run(const SparseRows& rows, const Wanted& wanted, float* out,
                  Scratch& scratch) const {
    int widest = head_width_;
    for (const Hidden& layer : hidden_) widest = std::max(widest, layer.width);
    if (scratch.now.size() < kRows * size(widest)) {
        scratch.now.assign(kRows * size(widest), 0.0f);
        scratch.next.assign(kRows * size(widest), 0.0f);
    }
    for (std::size_t from = 0; from < rows.rows(); from += kRows) {
        const std::size_t count = std::min(kRows, rows.rows() - from);
        first_layer(rows, from, count, scratch.now.data());
        const int blocks = static_cast<int>((count + kRowBlock - 1) / kRowBlock) * kRowBlock;
        for (std::size_t i = 1; i < hidden_.size(); ++i) {
            next_layer(i, blocks, scratch);
        }
        for (std::size_t r = 0; r < count; ++r) {
            const float* row = scratch.now.data() + r * size(head_width_);
            for (std::size_t k = wanted.first[from + r]; k < wanted.first[from + r + 1]; ++k) {
                const auto action = static_cast<std::size_t>(wanted.action[k]);
                out[k] = head_bias_[action] +
                         kernels_->dot(row, head_.data() + action * size(head_width_), head_width_);
            }
        }
    }
}

}  // namespace fogtree::deep
