#include "deep/coded_inputs.hpp"

namespace fogtree::deep {

namespace {

// Writes inputs of a row (column and value) one after another, into arrays that have enough room.
struct RowWriter {
    std::uint16_t* index;
    float* value;

    void add(int column, float number) {
        *index++ = static_cast<std::uint16_t>(column);
        *value++ = number;
    }
};

// Writes the nonzero inputs that one part of a code becomes.
inline void write(const CodePart& part, const std::uint8_t* code, RowWriter& row) {
    const int value = code[part.byte];
    switch (part.part) {
        case Part::choice:
            if (value < part.width) row.add(part.column + value, 1);
            break;
        case Part::bits:
            for (int b = 0; b < part.width; ++b) {
                if (value >> b & 1) row.add(part.column + b, 1);
            }
            break;
        case Part::number:
            if (value) row.add(part.column, static_cast<float>(value) / part.scale);
            break;
        case Part::wide: {
            const int both = value + 256 * code[part.byte + 1];
            if (both) row.add(part.column, static_cast<float>(both) / part.scale);
        }
    }
}

}  // namespace

// Adds `count` parts of the same kind, which follow the last part in both code and inputs.
void CodedInputs::add(Part part, int count, int width, float scale) {
    for (int i = 0; i < count; ++i) {
        parts_.push_back({part, bytes_, features_, width, scale});
        bytes_ += part == Part::wide ? 2 : 1;
        features_ += width;
        most_ += part == Part::bits ? static_cast<std::size_t>(width) : 1;
    }
}

// Adds the row of inputs of a code. The arrays first grow to the most inputs that a row can have,
// and then shrink to those it has.
void CodedInputs::expand(const std::uint8_t* code, SparseRows& rows) const {
    const std::size_t begin = rows.index.size();
    rows.index.resize(begin + most_);
    rows.value.resize(begin + most_);
    RowWriter row{rows.index.data() + begin, rows.value.data() + begin};
    for (const CodePart& part : parts_) write(part, code, row);
    const auto end = static_cast<std::size_t>(row.index - rows.index.data());
    rows.index.resize(end);
    rows.value.resize(end);
    rows.end_row();
}

}  // namespace fogtree::deep
