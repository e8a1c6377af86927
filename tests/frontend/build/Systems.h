// A system of the record: a program, its sizes, and the file that says what must come out.
#pragma once

#include "Built.h"
#include "Foreign.h"

namespace weft::test {

/// A result, and the recorded tensors it is compared with; several are stacked.
struct Compared {
  std::string result;
  std::vector<std::string> recorded;
};

struct System {
  std::string system;  ///< as the record calls it: `000#sdpa`
  std::string program; ///< of tests/frontend/systems
  std::string entry;
  std::string file;     ///< of seeds/
  std::string settings; ///< `model=12,head=3`
  std::vector<Compared> compared = {{"output", {"out.output"}}};
  std::string clause = ""; ///< `weights` clause; empty: the only one, if the file has parameters
  bool training = false;
  std::map<std::string, std::string> inputs =
      {}; ///< argument to tensor, where it is not `in.<argument>`
  std::vector<std::string> fromData =
      {}; ///< dimensions that parameters need, with sizes from the inputs
  std::string prefix = "param.";
  double bound = 1e-7; ///< what rounding the files to float32 leaves
};

/// The systems of the record that are one entry with one file.
const std::vector<System> &systems();

/// What a run gave, or why it did not.
struct Outcome {
  std::string problem;
  reference::NamedArrays outputs, parameters;
};

/// Builds `system` and runs it in float64 on `tensors` (inputs as `in.…`, parameters with the
/// prefix).
Outcome run(const System &system, const Tensors &tensors);

/// The function of an entry, whatever its symbol is.
mlir::func::FuncOp functionOf(mlir::ModuleOp module, llvm::StringRef entry);

/// The type of a program's argument as the source lists it.
const ast::Function *entryOf(const ast::Program &program, const std::string &name);

} // namespace weft::test
