#include "network.hpp"

#include <cstring>
#include <fstream>
#include <stdexcept>

namespace fogtree::nnue {

namespace {

constexpr std::uint32_t file_version = 0x7AF32F20;
constexpr std::uint32_t longest_description = 4096;
constexpr int padded_inputs = 32;

// Numbers in the file are little-endian, like those of every machine this is built for.
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

class Reader {
public:
    explicit Reader(const std::string& path) : path_(path), stream_(path, std::ios::binary) {
        if (!stream_) throw std::invalid_argument("cannot open the network file " + path);
    }
    template <class Number>
    void into(Number* numbers, std::size_t count) {
        const auto bytes = static_cast<std::streamsize>(count * sizeof(Number));
        if (!stream_.read(reinterpret_cast<char*>(numbers), bytes))
            throw std::invalid_argument("the network file " + path_ + " is cut off");
    }
    template <class Number>
    Number one() {
        Number number;
        into(&number, 1);
        return number;
    }
    void expect_end() {
        if (stream_.peek() != std::ifstream::traits_type::eof())
            throw std::invalid_argument("the network file " + path_ + " is too long");
    }
    [[noreturn]] void refuse() const {
        throw std::invalid_argument(path_ + " is not a network of Stockfish 15.1");
    }

private:
    std::string path_;
    std::ifstream stream_;
};

void read_stack(Reader& reader, Stack& stack) {
    reader.one<std::uint32_t>();  // a checksum of the architecture, not of the numbers
    reader.into(stack.first_bias, first_outputs);
    std::vector<std::int8_t> weights(first_outputs * width);
    reader.into(weights.data(), weights.size());
    for (int output = 0; output < first_outputs; ++output)
        for (int input = 0; input < width; ++input)
            stack.first_weight[input / chunk][output][input % chunk] =
                weights[static_cast<std::size_t>(output * width + input)];
    reader.into(stack.second_bias, second_outputs);
    weights.resize(second_outputs * padded_inputs);
    reader.into(weights.data(), weights.size());
    for (int output = 0; output < second_outputs; ++output)
        for (int input = 0; input < second_inputs; ++input)
            stack.second_weight[input][output] =
                weights[static_cast<std::size_t>(output * padded_inputs + input)];
    reader.into(&stack.third_bias, 1);
    weights.resize(second_outputs);
    reader.into(weights.data(), weights.size());
    for (int input = 0; input < second_outputs; ++input)
        stack.third_weight[input] = weights[static_cast<std::size_t>(input)];
}

}  // namespace

Network read_network(const std::string& path) {
    Reader reader(path);
    Network network;
    if (reader.one<std::uint32_t>() != file_version) reader.refuse();
    reader.one<std::uint32_t>();
    const auto length = reader.one<std::uint32_t>();
    if (length > longest_description) reader.refuse();
    network.description.resize(length);
    reader.into(network.description.data(), length);
    reader.one<std::uint32_t>();
    reader.into(network.bias.value, width);
    network.weight.resize(features);
    for (Column& column : network.weight) reader.into(column.value, width);
    network.psqt.resize(static_cast<std::size_t>(features) * buckets);
    reader.into(network.psqt.data(), network.psqt.size());
    network.stacks.resize(buckets);
    for (Stack& stack : network.stacks) read_stack(reader, stack);
    reader.expect_end();
    return network;
}

}  // namespace fogtree::nnue
