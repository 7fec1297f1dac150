// Codes whose bytes each become some of a network's inputs: the layout of a code, and its
// expansion.
#pragma once

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
    // Adds `count` parts of the same kind, one after another.
    void add(Part part, int count, int width, float scale = 1) {
        for (int i = 0; i < count; ++i) {
            parts_.push_back({part, bytes_, features_, width, scale});
            bytes_ += part == Part::wide ? 2 : 1;
            features_ += width;
        }
    }

    const std::vector<CodePart>& parts() const { return parts_; }
    int bytes() const { return bytes_; }
    int features() const { return features_; }

    // Adds the row of inputs of a code.
    void expand(const std::uint8_t* code, SparseRows& rows) const {
        for (const CodePart& part : parts_) expand(part, code, rows);
        rows.end_row();
    }

private:
    // Adds the inputs of one part that are not zero.
    static void expand(const CodePart& part, const std::uint8_t* code, SparseRows& rows) {
        const int value = code[part.byte];
        switch (part.part) {
            case Part::choice:
                if (value < part.width) rows.add(part.column + value, 1);
                break;
            case Part::bits:
                for (int b = 0; b < part.width; ++b) {
                    if (value >> b & 1) rows.add(part.column + b, 1);
                }
                break;
            case Part::number:
                if (value) rows.add(part.column, static_cast<float>(value) / part.scale);
                break;
            case Part::wide: {
                const int both = value + 256 * code[part.byte + 1];
                if (both) rows.add(part.column, static_cast<float>(both) / part.scale);
            }
        }
    }

    std::vector<CodePart> parts_;
    int bytes_ = 0;
    int features_ = 0;
};

}  // namespace fogtree::deep
