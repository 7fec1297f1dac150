#include "sampling/expectation.hpp"

#include <stdexcept>

#include "sampling/compensated_sum.hpp"
#include "sampling/dense_table.hpp"
#include "sampling/enumeration.hpp"
#include "sampling/table_layout.hpp"
#include "sampling/tree_simulator.hpp"

namespace fogtree {

namespace {

// The table that every enumerated walk starts from: `regret` and, where the scheme needs them,
// `average` or `baseline`, laid out as `layout` says; `places` has where each information set
// begins.
std::vector<double, AlignedAllocator<double, true>> starting_table(
    const FlatTree& tree, const SchemeOptions& options, const TableLayout& layout,
    const std::vector<std::uint32_t>& places, const std::vector<double>& regret,
    const std::vector<double>& average, const std::vector<double>& baseline) {
    const Scheme scheme = options.scheme;
    const bool averages = scheme == Scheme::average, baselines = scheme == Scheme::outcome_baseline;
    const std::vector<double>& extra = averages ? average : baseline;
    const std::size_t extra_rows = averages || baselines ? layout.rows() - 2 : 0;
    if (regret.size() != tree.slots() ||
        (extra_rows > 0 && extra.size() != tree.slots() * extra_rows)) {
        throw std::invalid_argument("arrays do not fit the tree");
    }
    std::vector<double, AlignedAllocator<double, true>> values(places.back());
    for (std::size_t i = 0; i < tree.infosets(); ++i) {
        const auto from = static_cast<std::size_t>(tree.first_slot[i]);
        const std::size_t n = static_cast<std::size_t>(tree.first_slot[i + 1]) - from;
        if (n < 2) continue;
        double* entry = values.data() + places[i];
        for (std::size_t a = 0; a < n; ++a) entry[a] = regret[from + a];
        for (std::size_t k = 0; k < extra_rows * n; ++k)
            entry[2 * n + k] = extra[from * extra_rows + k];
        if (scheme == Scheme::outcome) prepare_path(entry, n);
    }
    return values;
}

// The values of compensated sums.
std::vector<double> values(const std::vector<CompensatedSum>& sums) {
    std::vector<double> out;
    for (const CompensatedSum& sum : sums) out.push_back(sum.value());
    return out;
}

}  // namespace

// The exact expectation of what walks add, by enumerating all of them from the same table.
// `together`: how many walks of outcome sampling are made as a group; other schemes make one.
Expectation expectation(const FlatTree& tree, const SchemeOptions& options, int traverser,
                        const std::vector<double>& regret, const std::vector<double>& average,
                        const std::vector<double>& baseline, int together) {
    if (together < 1 || together > (options.scheme == Scheme::outcome ? kGroup : 1)) {
        throw std::invalid_argument("too many walks at a time");
    }
    options.check();
    if (traverser < 0 || traverser >= tree.players) throw std::invalid_argument("no such player");
    const TableLayout layout(options.scheme, tree.players);
    const auto places = layout.places(tree);
    const TreeSimulator<double> game(tree, places);
    const auto start = starting_table(tree, options, layout, places, regret, average, baseline);
    DenseTable<double> table{start};
    Enumeration source;
    std::vector<CompensatedSum> regrets(tree.slots()), averages(tree.slots());
    CompensatedSum probabilities;
    std::uint64_t count = 0;
    by_scheme(options.scheme, [&]<Scheme kScheme>() {
        Walks<TreeSimulator<double>, DenseTable<double>, Enumeration, kScheme> walks(
            game, table, source, options, false, 1.0);
        do {
            table.values = start;
            if constexpr (kScheme == Scheme::outcome) {
                walks.run_group(traverser, together);
            } else {
                walks.run_one(traverser);
            }
            const double probability = source.probability();
            for (std::size_t i = 0; i < tree.infosets(); ++i) {
                const auto from = static_cast<std::size_t>(tree.first_slot[i]);
                const std::size_t n = static_cast<std::size_t>(tree.first_slot[i + 1]) - from;
                if (n < 2) continue;
                for (std::size_t a = 0; a < n; ++a) {
                    const std::size_t place = places[i] + a;
                    regrets[from + a].add(probability * (table.values[place] - start[place]));
                    averages[from + a].add(probability * table.values[place + layout.row(n)]);
                }
            }
            ++count;
            probabilities.add(probability);
        } while (source.advance());
    });
    return {values(regrets), values(averages), count, probabilities.value()};
}

}  // namespace fogtree
