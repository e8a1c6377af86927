// What a run must give, from the float64 interpreter, and how far f32 may be from it.
#ifndef WEFT_TOOLS_REDUCE_EXPECTED_EXPECTED_H
#define WEFT_TOOLS_REDUCE_EXPECTED_EXPECTED_H

#include "ir/reference/Interpreter.h"
#include "tools/reduce/subject/Verdict.h"

namespace weft::reduce {

/// One run of one function.
struct Run {
  mutable mlir::func::FuncOp function; ///< MLIR knows no constant ops
  std::vector<reference::Array> inputs;
  reference::NamedArrays parameters;
  llvm::StringMap<int64_t> sizes; ///< of dimensions that no input has
  reference::RandomState random;
  bool hides = false; ///< a pass made an attention with a mask of it
  /// What is run may have rounded other values than the function, whose kernels store some as
  /// bfloat16: these are shaken by as much as a rounding changes them.
  bool roundsElsewhere = false;
};

/// A tensor, and what may be found in its place. The allowance is measured: the interpreter runs
/// again with every op's result rounded to f32 and off by about as much as f32 code may be, and
/// what an element then moves by, times a margin, is allowed. What a rounding decides (a comparison
/// of two equal numbers, and all that hangs on it) moves far, and so is free. Of a module whose
/// kernels store values as bfloat16, each run rounds these where the kernels do: what f32 does to a
/// number that lies between two of bfloat16 is among what is measured.
struct ExpectedTensor {
  std::string name;
  reference::Array exact;
  std::vector<double> moved;   ///< of each element, in the shaken runs so far
  std::vector<double> allowed; ///< of each element; infinite: anything

  /// What is not right in `found`: the worst element, in words. `margin` widens the allowance.
  std::optional<std::string> differs(const reference::Array &found, double margin = 1) const;
  void count(Verdict &verdict) const;
};

struct Expected {
  std::optional<std::string> refusal; ///< what the interpreter says instead of a result
  std::vector<ExpectedTensor> outputs, parameters;
};

/// Runs exactly, and `shakes` times shaken.
Expected expect(const Run &run, unsigned shakes, uint64_t seed,
                const std::function<std::string()> &said);
/// Shakes again: before anything is called wrong. What two roundings decide between like a coin may
/// well have fallen one way a few times.
void shakeMore(Expected &expected, const Run &run, unsigned shakes, uint64_t seed,
               const std::function<std::string()> &said);

/// One exact run; what is assigned is in `parameters`, of those given.
mlir::FailureOr<std::vector<reference::Array>> interpret(const Run &run,
                                                         reference::NamedArrays *parameters);

} // namespace weft::reduce

#endif // WEFT_TOOLS_REDUCE_EXPECTED_EXPECTED_H
