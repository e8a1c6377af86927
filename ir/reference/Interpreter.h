// Runs programs of the model stage in float64. It is what every pass, target and gradient is tested
// against.
#ifndef WEFT_IR_REFERENCE_INTERPRETER_H
#define WEFT_IR_REFERENCE_INTERPRETER_H

#include "ir/reference/Evaluator.h"

namespace weft::reference {

/// Holds parameters from run to run. Errors are reported through the context's diagnostics, at the
/// entry or the op.
class Interpreter {
public:
  /// `given` are sizes of dimensions that no input of an entry has; others come from the inputs.
  explicit Interpreter(mlir::ModuleOp module, llvm::StringMap<int64_t> given = {})
      : module(module), given(std::move(given)) {}

  void setRandom(RandomState state) { random = state; }
  /// For later runs.
  void setNarrowWeights(NarrowWeights each) { narrow = std::move(each); }
  /// Sets the observer of every op in later runs.
  void observe(Observer each) { observer = std::move(each); }

  /// The value of a parameter, state or optimizer state, stacked along its loops. Fails if there is
  /// none of that name or its elements or shape are others. Constant initial values need not be
  /// set.
  llvm::LogicalResult setParameter(llvm::StringRef name, Array value);
  /// As it is after the last run; null if nothing set it.
  Shared parameter(llvm::StringRef name) const { return storage.before.lookup(name); }

  /// Runs a function of the module. Inputs and results are in its order, shapes in the order of its
  /// types. Sizes are taken from the inputs; where two tensors contradict each other or the
  /// program, the error names both.
  llvm::FailureOr<std::vector<Array>> run(llvm::StringRef entry, llvm::ArrayRef<Array> inputs);

private:
  llvm::LogicalResult initialize(mlir::func::FuncOp function, const Sizes &sizes);

  mlir::ModuleOp module;
  llvm::StringMap<int64_t> given;
  RandomState random;
  Observer observer;
  NarrowWeights narrow;
  Storage storage;
};

using NamedArrays = llvm::StringMap<Array>;

/// Everything that a run needs and gives, by the names of arguments (`model.name`), results and
/// parameters.
struct NamedRun {
  NamedArrays inputs, parameters;
  llvm::StringMap<int64_t> sizes;
  RandomState random;
  Observer observer;
};
struct NamedResults {
  NamedArrays outputs;
  /// The same in order: a gradient may be called like a result.
  std::vector<Array> inOrder;
  /// All that the program declares and the run set or changed.
  NamedArrays parameters;
};

/// Runs `entry` once. A missing or surplus tensor is an error that names it.
llvm::FailureOr<NamedResults> runInterpreted(mlir::ModuleOp module, llvm::StringRef entry,
                                             NamedRun run);

/// The public name of argument or result `i` of an entry.
std::string inputName(mlir::func::FuncOp function, unsigned i);
std::string outputName(mlir::func::FuncOp function, unsigned i);

} // namespace weft::reference

#endif // WEFT_IR_REFERENCE_INTERPRETER_H
