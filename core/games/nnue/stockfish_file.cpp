#include "games/nnue/stockfish_file.hpp"

#include <fstream>
#include <stdexcept>
#include <vector>

namespace fogtree::nnue {

namespace {

constexpr std::uint32_t file_version = 0x7AF32F20;  // the first number of the file
constexpr std::uint32_t longest_description = 4096;
constexpr int width = 1024;
constexpr int stack_count = 8;
constexpr int used_inputs = 30;  // of the second layer; the file pads them to second_inputs
// 361 of Stockfish's units are a pawn, and a value is tanh(hundredths of a pawn / 543).
constexpr float stockfish_unit = 3.61f * 543;

// Numbers in the file are little-endian, like those of every machine this is built for.
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

// Reads numbers from a file, and refuses one that ends early.
class Reader {
public:
    // Opens a file; throws if it cannot be opened.
    explicit Reader(const std::string& path) : path_(path), stream_(path, std::ios::binary) {
        if (!stream_) throw std::invalid_argument("cannot open the network file " + path);
    }
    // Reads `count` numbers; throws if the file ends before.
    template <class Number>
    void into(Number* numbers, std::size_t count) {
        const auto bytes = static_cast<std::streamsize>(count * sizeof(Number));
        if (!stream_.read(reinterpret_cast<char*>(numbers), bytes))
            throw std::invalid_argument("the network file " + path_ + " is cut off");
    }
    // Reads one number.
    template <class Number>
    Number one() {
        Number number;
        into(&number, 1);
        return number;
    }
    // Throws unless the file ends here.
    void expect_end() {
        if (stream_.peek() != std::ifstream::traits_type::eof())
            throw std::invalid_argument("the network file " + path_ + " is too long");
    }
    // Throws the error that the file is no such network.
    [[noreturn]] void refuse() const {
        throw std::invalid_argument(path_ + " is not a network of Stockfish 15.1");
    }

private:
    std::string path_;
    std::ifstream stream_;
};

// Stockfish's features (HalfKAv2_hm): a bucket for each of the 32 squares on the files e to h, to
// which the king is mirrored; from h8 (0) to e1 (31).
FeatureSet stockfish_inputs() {
    FeatureSet inputs{{}, true, true, 32};
    for (int square = 0; square < 64; ++square)
        if (square % 8 >= 4)
            inputs.king_bucket[square] =
                static_cast<std::uint8_t>(4 * (7 - square / 8) + 7 - square % 8);
    return inputs;
}

// Reads the three layers of one stack, and puts their weights in the order of Stack.
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
    weights.resize(second_outputs * second_inputs);
    reader.into(weights.data(), weights.size());
    for (int output = 0; output < second_outputs; ++output)
        for (int input = 0; input < used_inputs; ++input)
            stack.second_weight[input / chunk][output][input % chunk] =
                weights[static_cast<std::size_t>(output * second_inputs + input)];
    reader.into(&stack.third_bias, 1);
    weights.resize(second_outputs);
    reader.into(weights.data(), weights.size());
    for (int input = 0; input < second_outputs; ++input)
        stack.third_weight[input] = weights[static_cast<std::size_t>(input)];
}

}  // namespace

// Reads Stockfish's network; checks the file's version and length, but not its hashes.
Network read_stockfish_file(const std::string& path) {
    Reader reader(path);
    Network network;
    if (reader.one<std::uint32_t>() != file_version) reader.refuse();
    reader.one<std::uint32_t>();  // a hash of the architecture, not checked
    const auto length = reader.one<std::uint32_t>();
    if (length > longest_description) reader.refuse();
    network.description.resize(length);
    reader.into(network.description.data(), length);
    reader.one<std::uint32_t>();  // a hash of the first layer
    network.inputs = stockfish_inputs();
    network.unit = stockfish_unit;
    network.resize(width, stack_count);
    reader.into(network.empty.value, width);
    const int features = network.inputs.count();
    for (int feature = 0; feature < features; ++feature)
        reader.into(network.column(feature), width);
    reader.into(network.psqt(0), static_cast<std::size_t>(features) * stack_count);
    for (Stack& stack : network.stacks) read_stack(reader, stack);
    reader.expect_end();
    return network;
}

}  // namespace fogtree::nnue
