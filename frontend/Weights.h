// Foreign weights: what a `weights` clause says our parameters are called, and how they lie, in
// someone else's file.
#pragma once

#include "frontend/Ast.h"
#include "frontend/Diagnostic.h"
#include "ir/model/Model.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace weft {

/// A tensor of a foreign file that holds one of our parameters, or one pass of a repeated one.
struct ForeignTensor {
  std::string name;
  /// Per axis of the file, slowest first: the dimensions of ours that lie along it, row-major. An
  /// axis may also be stored as several, one per dimension. An axis without any has size 1.
  std::vector<std::vector<std::string>> axes;

  using Sizes = std::map<std::string, int64_t>;
  /// The sizes of its axes, from those of our dimensions.
  std::vector<int64_t> shape(const Sizes &sizes) const;
  /// How many elements of the file lie between neighbours along each of `ours`, or nothing if
  /// `found` is not the shape of this tensor.
  std::optional<std::vector<int64_t>> strides(const std::vector<std::string> &ours,
                                              const Sizes &sizes,
                                              llvm::ArrayRef<int64_t> found) const;
};

/// The clause `weights name { … }` of a program, or null. An empty name stands for the only one.
const ast::Weights *findWeights(const ast::Program &program, std::string_view name);

/// One clause, matched with the parameters of a module that the builder made.
class WeightsMap {
public:
  /// Checks the layouts against the parameters they are for (E0620). `clause` and the module must
  /// outlive the map.
  static std::optional<WeightsMap> make(const ast::Weights &clause, mlir::ModuleOp module,
                                        Diagnostics &diagnostics);

  /// Where pass `passes` (a position per loop around the parameter) of `parameter` is in the file.
  /// A path's layout beats its block's, that the declared order; the pieces of the name are
  /// replaced from left to right, the longest first.
  ForeignTensor foreign(model::ParameterOp parameter, llvm::ArrayRef<int64_t> passes) const;

  /// Whether the clause says that the file may have this tensor and we do not want it.
  bool ignores(llvm::StringRef name) const;

private:
  explicit WeightsMap(const ast::Weights &clause) : clause(&clause) {}

  const ast::LayoutRule *layoutOf(model::ParameterOp parameter) const;
  std::string nameOf(const std::vector<std::string> &segments) const;

  const ast::Weights *clause;
};

} // namespace weft
