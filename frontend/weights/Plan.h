// Foreign weights: where each element of our parameters lies in someone else's checkpoint, as a
// `weights` clause says.
#pragma once

#include "frontend/source/Diagnostic.h"
#include "frontend/syntax/Ast.h"
#include "frontend/weights/Options.h"
#include "ir/model/Model.h"

#include <optional>
#include <string>
#include <vector>

namespace weft {

/// A box of one parameter inside a foreign tensor. Positions and strides count elements; those of
/// the parameter are in it as it is stored, stacked along its loops.
struct ForeignPart {
  /// `count` neighbours, so many elements apart in the parameter and in the foreign tensor.
  struct Loop {
    int64_t count, stride, foreignStride;
  };
  std::string parameter;
  int64_t first = 0, foreignFirst = 0; ///< the positions of the first element
  std::vector<Loop> loops;             ///< outermost first, in the order of the parameter

  int64_t count() const;
  /// Calls `visit(position, foreignPosition)` for every element.
  template <class Visit> void forEach(Visit visit) const;
};

/// A tensor of a foreign file, and which parts of parameters it holds.
struct ForeignTensor {
  struct Factor {
    std::string dim;
    int64_t size;
  };
  std::string name;
  /// Per axis of the file, slowest first: the dimensions along it, row-major. One without any has
  /// size 1.
  std::vector<std::vector<Factor>> axes;
  std::vector<ForeignPart> parts;

  std::vector<int64_t> shape() const;
  /// The layout by which a file would have this shape, finer than the clause's: each axis cut
  /// between its dimensions. `[model, channel, ph, pw]`; empty where there is none.
  std::string finerLayout(llvm::ArrayRef<int64_t> found) const;
  /// `[(head = 4, dh = 8), model = 32]`
  std::string layout() const;
  /// Whether both hold the same elements of parameters, in whatever order.
  bool holdsWhat(const ForeignTensor &other) const;
};

/// A tensor that a file may have besides, whose numbers are those of a parameter: a tied table,
/// written twice.
struct ForeignCopy {
  ForeignTensor tensor;
  std::optional<size_t> of; ///< of `tensors()`, which it repeats, if it is one
};

/// A number in the head of a foreign file, and what it is here.
struct ForeignSize {
  std::string name, dims; ///< `n_heads`, `group = 4, rep = 2`
  int64_t value = 1;
};

/// A tensor of a foreign file that is no parameter, but what an entry without inputs gives.
struct ForeignTable {
  std::string name, symbol, entry; ///< in the file, of the function, and of the entry
  std::vector<int64_t> shape;
};

/// The clause `weights name { … }` of a program, or null. An empty name stands for the only one of
/// its own file, or else of all.
const ast::Weights *findWeights(const ast::Program &program, std::string_view name);

/// One clause, matched with the parameters and states of a module that the builder made: every
/// element of a parameter has one place, and every element of a foreign tensor is one of a
/// parameter.
class ForeignPlan {
public:
  /// Errors E0620 to E0625 where the clause does not fit.
  static std::optional<ForeignPlan> make(const ast::Weights &clause, mlir::ModuleOp module,
                                         Diagnostics &diagnostics);
  /// Our own names and layouts.
  static ForeignPlan own(mlir::ModuleOp module);

  /// In the order of our parameters.
  const std::vector<ForeignTensor> &tensors() const { return all; }
  /// None of which is called like one of `tensors()`.
  const std::vector<ForeignCopy> &copies() const { return repeated; }
  /// In the order of the clause.
  const std::vector<ForeignSize> &sizes() const { return given; }
  const std::vector<ForeignTable> &computed() const { return tables; }
  /// Empty until they are set: they follow from the program and its settings, not from the module.
  const std::vector<ForeignOption> &options() const { return said; }
  void setOptions(std::vector<ForeignOption> options) { said = std::move(options); }
  /// The pattern by which the clause says that the file may have this tensor and we do not want it,
  /// or null.
  const std::string *ignores(llvm::StringRef name) const;
  const std::vector<std::string> &patterns() const { return ignored; }

private:
  bool addBeside(const ast::Weights &clause, mlir::ModuleOp module, Diagnostics &diagnostics);
  bool addIgnored(const ast::IgnoreRule &rule, Diagnostics &diagnostics);
  bool addSize(const ast::SizeRule &rule, mlir::ModuleOp module, Diagnostics &diagnostics);
  bool addComputed(const ast::ComputedRule &rule, mlir::ModuleOp module, Diagnostics &diagnostics);

  std::vector<ForeignTensor> all;
  std::vector<ForeignCopy> repeated;
  std::vector<ForeignSize> given;
  std::vector<ForeignTable> tables;
  std::vector<ForeignOption> said;
  std::vector<std::string> ignored;
};

template <class Visit> void ForeignPart::forEach(Visit visit) const {
  std::vector<int64_t> index(loops.size(), 0);
  int64_t position = first, foreignPosition = foreignFirst;
  for (int64_t left = count(); left > 0; --left) {
    visit(position, foreignPosition);
    for (size_t d = loops.size(); d-- > 0;) {
      position += loops[d].stride;
      foreignPosition += loops[d].foreignStride;
      if (++index[d] < loops[d].count)
        break;
      position -= index[d] * loops[d].stride;
      foreignPosition -= index[d] * loops[d].foreignStride;
      index[d] = 0;
    }
  }
}

} // namespace weft
