// A tensor as heat maps: the last two dimensions are rows and columns, those before them panels.
#ifndef WEFT_RUNTIME_PLOTS_HEATMAPS_H
#define WEFT_RUNTIME_PLOTS_HEATMAPS_H

#include "runtime/base/Error.h"

#include <span>
#include <vector>

namespace weft::runtime {

struct HeatMaps {
  std::string title;
  std::vector<std::string> dims; // names, as many as `shape` has sizes; at least one
  std::vector<int64_t> shape;
  std::span<const float> values;
  /// What stands beside rows and above columns, in order; empty: their positions.
  std::vector<std::string> rowLabels, columnLabels;
};

/// An SVG, coloured by a ColourScale over all panels. Panels of the last dimension before the rows
/// stand side by side, those of the dimensions before it below each other. Error: more than can be
/// looked at.
Result<std::string> drawHeatMaps(const HeatMaps &maps);

} // namespace weft::runtime
#endif
