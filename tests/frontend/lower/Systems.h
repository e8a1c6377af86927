// A system of the record: a program, its sizes, and the file that says what must come out.
#pragma once

#include "Built.h"
#include "Foreign.h"

#include "ir/reference/Interpreter.h"

namespace weft::test {

/// A result, and the recorded tensors it is compared with; several are stacked. With a type it is
/// the path of an intermediate value.
struct Compared {
  std::string result;
  std::vector<std::string> recorded;
  std::string type = "";
};

struct System {
  std::string system;  ///< as the record calls it: `000#sdpa`
  std::string program; ///< a name of `programFile`
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
  std::string config = "";
  /// Text of the program's files and what stands in its place: a defect that was recorded too.
  std::pair<std::string, std::string> edit = {};
};

/// The systems of the record that are one entry with one file.
const std::vector<System> &systems();

/// The file `program.weft` anywhere under examples/ or in tests/frontend/systems.
std::string programFile(const std::string &program);

/// What was recorded of `system`.
Tensors tensorsOf(const System &system);

/// How many labels of each row come before the padding: the record names the id of padding, our
/// models take lengths.
reference::Array lengthsOf(const reference::Array &labels, int64_t padding);

/// Whether the file has gradients of what the entry gives: its loss, or its output times
/// `in.probe`.
bool hasGradients(const System &system, const Tensors &tensors);

/// The recorded tensors of a result, stacked if there are several.
reference::Array recordedFor(const Compared &compared, const Tensors &tensors);

/// Scores are recorded after masking (-1e6, -9e15, -inf), and found before it: sets what was masked
/// to 0 in both. That it was masked, the attention weights show, which are compared too.
void leaveOutFills(reference::Array &found, reference::Array &recorded);

/// What a test of the system at `index` is called.
std::string testName(const System &system, size_t index);
void PrintTo(const System &system, std::ostream *out);

/// A system, built, with its data. `problem` says what is wrong with it, if something is.
struct Prepared {
  Prepared(const System &system, const Tensors &tensors);

  /// By the names of parameters, their values: of the tensors of the file whose names start with
  /// `prefix`, each of which must be used.
  reference::NamedArrays load(const std::string &prefix);
  /// Runs a function of the module in float64; after errors there is a problem and nothing else.
  reference::NamedResults run(llvm::StringRef symbol, reference::NamedArrays inputs);
  /// The result of a run that is compared: of the entry's own name, or of the entry `observed`.
  static std::string resultOf(const System &system, const Compared &compared);
  /// Runs the passes of the model stage, and derives gradients of these functions beside those of
  /// trainings.
  bool lower(const std::vector<std::string> &gradientsOf = {});

  const System &system;
  const Tensors &tensors;
  std::string problem;
  SourceManager sources;
  mlir::MLIRContext context;
  ast::Program program;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::optional<ForeignPlan> plan;
  mlir::func::FuncOp function; ///< of the entry; null where the entry is derived
  reference::NamedArrays inputs, parameters;
};

/// The function of an entry, whatever its symbol is.
mlir::func::FuncOp functionOf(mlir::ModuleOp module, llvm::StringRef entry);

/// The name of a recorded tensor for an argument.
std::string tensorOf(const System &system, const std::string &argument);

/// With the elements that an argument of `type` takes.
reference::Array asArgument(const reference::Array &array, mlir::Type type);

} // namespace weft::test
