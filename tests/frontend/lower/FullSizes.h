// The systems of the record at their full sizes: tensors by formula, results as summaries.
#pragma once

#include "Systems.h"

#include <nlohmann/json.hpp>

namespace weft::test {

/// The systems with a summary, `system.file` of seeds/.
std::vector<System> fullSizes();

/// `seeds/NAME.json`.
nlohmann::json readSummary(const System &system);

/// The parameters and inputs that the summary gives by formula, and those that come from recorded
/// sentences.
Tensors tensorsOf(const System &system, const nlohmann::json &summary);

/// The farthest of the samples and of the mean, the extremes and the norm, relative to the extremes
/// (the norm to itself), which count as at least `least`.
double farFrom(const reference::Array &array, const nlohmann::json &summary, double least = 0);

} // namespace weft::test
