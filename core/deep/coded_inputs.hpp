// Codes whose bytes each become some of a network's inputs: the layout of a code, and its
// expansion.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "deep/game.hpp"

namespace fogtree::deep {

// How a code's byte becomes inputs. choice: input number `value` is 1, none if there is no such
// input; bits: each bit is an input; number: one input, value / scale; wide: the same of two bytes.
enum class Part : std::uint8_t { choice, bits, number, wide };

// One byte of a code (two if `wide`) and the inputs it becomes.
struct CodePart {
    Part part;
    int byte;     // where it is in the code; `wide` takes two bytes, the low one first
    int column;   // first input
    int width;    // inputs
    float scale;  // numbers are divided by it
};

// The layout of a code, part after part, and of the inputs it becomes.
class CodedInputs {
public:
    // Adds `count` parts of the same kind, one after another, each with `width` inputs.
    void add(Part part, int count, int width, float scale = 1);

    const std::vector<CodePart>& parts() const { return parts_; }
    int bytes() const { return bytes_; }        // length of a code
    int features() const { return features_; }  // number of inputs

    // Adds the row of inputs of a code.
    void expand(const std::uint8_t* code, SparseRows& rows) const;

private:
    std::vector<CodePart> parts_;
    int bytes_ = 0;
    int features_ = 0;
    std::size_t most_ = 0;  // inputs of one code that are not zero, at most
};

}  // namespace fogtree::deep
