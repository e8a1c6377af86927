// How one of our parameters, or a part of it, lies in a foreign tensor.
#pragma once

#include "frontend/source/Codes.h"
#include "frontend/weights/Names.h"
#include "ir/model/Dims.h"

#include <optional>
#include <variant>

namespace weft {

/// A dimension of what is laid out: its size, and how far neighbours are apart in our parameter.
struct OwnDim {
  std::string name;
  int64_t size = 1, stride = 0;
};

/// A part of a parameter under one concrete name of a file.
struct LaidOut {
  model::ParameterOp parameter;
  std::optional<ForeignName::Use> together; ///< the `stack` or `concat` it is a part of
  const ast::RenameRule *renamed = nullptr; ///< where the last piece of its name stands
  std::string name;
  int64_t first = 0; ///< the position of its first element in the parameter
  /// Per axis the dimensions along it. The one along which several are put together has no name;
  /// `inner` are those of the parameter that lie along it.
  std::vector<std::vector<OwnDim>> axes;
  std::vector<OwnDim> inner;
  /// What it is of its parameter: `role = 0`, or empty for all of it.
  std::string part;
};

/// Where something is wrong with a layout, if it is in a file.
struct LayoutProblem {
  Code code;
  Span place;
  std::string message, note, help;
};

/// Every part of a parameter, by the name that one rule gives it: one for each number in the name.
/// Gives what is wrong instead where clause and parameter do not fit.
std::variant<std::vector<LaidOut>, LayoutProblem> laidOut(const ast::Weights &clause,
                                                          model::ParameterOp parameter,
                                                          const ForeignName &name,
                                                          const model::Dims &sizes);

} // namespace weft
