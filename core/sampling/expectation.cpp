#include "expectation.hpp"

#include <stdexcept>

#include "dense_table.hpp"
#include "enumeration.hpp"
#include "tree_simulator.hpp"

namespace fogtree {

namespace {

std::vector<double> starting_table(const FlatTree& tree, Scheme scheme,
                                   const std::vector<double>& regret,
                                   const std::vector<double>& average,
                                   const std::vector<double>& baseline) {
    const auto width = static_cast<std::size_t>(sections(scheme, tree.players));
    const std::size_t more = width - 2;
    const std::vector<double>& extra = scheme == Scheme::average ? average : baseline;
    if (regret.size() != tree.slots() || (more > 0 && extra.size() != tree.slots() * more)) {
        throw std::invalid_argument("arrays do not fit the tree");
    }
    std::vector<double> values(tree.slots() * width);
    for (std::size_t i = 0; i < tree.infosets(); ++i) {
        const auto from = static_cast<std::size_t>(tree.first_slot[i]);
        const std::size_t n = static_cast<std::size_t>(tree.first_slot[i + 1]) - from;
        double* entry = values.data() + from * width;
        for (std::size_t a = 0; a < n; ++a) entry[a] = regret[from + a];
        for (std::size_t k = 0; k < more * n; ++k) entry[2 * n + k] = extra[from * more + k];
    }
    return values;
}

}  // namespace

Expectation expectation(const FlatTree& tree, const SchemeOptions& options, int traverser,
                        const std::vector<double>& regret, const std::vector<double>& average,
                        const std::vector<double>& baseline) {
    const TreeSimulator<double> game(tree, sections(options.scheme, tree.players));
    const auto start = starting_table(tree, options.scheme, regret, average, baseline);
    const auto width = static_cast<std::size_t>(sections(options.scheme, tree.players));
    DenseTable<double> table{start, static_cast<int>(width)};
    Enumeration source;
    Expectation out;
    out.regret.resize(tree.slots());
    out.average.resize(tree.slots());
    by_scheme(options.scheme, [&]<Scheme kScheme>() {
        Walk<TreeSimulator<double>, DenseTable<double>, Enumeration, kScheme> walk(
            game, table, source, options, false, 1.0);
        do {
            table.values = start;
            walk.run(traverser);
            const double probability = source.probability();
            for (std::size_t i = 0; i < tree.infosets(); ++i) {
                const auto from = static_cast<std::size_t>(tree.first_slot[i]);
                const std::size_t n = static_cast<std::size_t>(tree.first_slot[i + 1]) - from;
                for (std::size_t a = 0; a < n; ++a) {
                    const std::size_t place = from * width + a;
                    out.regret[from + a] += probability * (table.values[place] - start[place]);
                    out.average[from + a] += probability * table.values[place + n];
                }
            }
            ++out.walks;
            out.probability += probability;
        } while (source.advance());
    });
    return out;
}

}  // namespace fogtree
