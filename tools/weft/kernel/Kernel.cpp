// `weft kernel`: the kernels of a program one by one, with the schedule that they have: how many
// tasks, how long, and how far from the interpreter.
#include "ir/kernel/Kernel.h"
#include "tools/kernel/CompiledKernel.h"
#include "tools/kernel/Inputs.h"
#include "tools/weft/base/Commands.h"
#include "tools/weft/base/Compilation.h"
#include "tools/weft/base/GivenSizes.h"
#include "tools/weft/kernel/Runner.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <charconv>

namespace weft {

std::optional<int64_t> wholeNumber(llvm::StringRef text) {
  int64_t value = 0;
  auto [end, error] = std::from_chars(text.begin(), text.end(), value);
  return error == std::errc() && end == text.end() && value >= 1 ? std::optional(value)
                                                                 : std::nullopt;
}

std::string offBy(std::optional<double> off, bool &right) {
  right = off && *off <= tolerated;
  std::string text = off ? fmt::format(" {:>10.1e}", *off) : fmt::format(" {:>10}", "refused");
  return right ? text : text + "  WRONG";
}

namespace {

int misuse(const std::string &text) {
  if (!text.empty()) // else it is said
    fmt::print(stderr, "weft kernel: {}\n", text);
  return exitUsage;
}

/// All kernels that are asked for, each text once; gives whether all are right, or nothing if there
/// is none.
std::optional<bool> reportAll(mlir::ModuleOp module, const std::string &only, const Wishes &wishes,
                              KernelRunner &runner) {
  auto dims = kernel::DimTable::of(module);
  fmt::print("{}\n{:32} {:14}{}\n", runner.machine(), "kernel", "family", runner.columns(wishes));
  std::optional<bool> right;
  llvm::StringSet<> seen;
  module.walk([&](kernel::FusedOp op) {
    if (!op.getLayouts()) // a dump of an earlier stage
      return;
    std::string text;
    llvm::raw_string_ostream stream(text);
    trial::alone(op)->print(stream);
    if (op.getLabel().find(only) == llvm::StringRef::npos || !seen.insert(text).second)
      return;
    for (kernel::ScheduleAttr schedule : runner.schedules(op, dims)) {
      KernelRunner::Line line = runner.run(op, schedule, wishes);
      fmt::print("{:32} {:14}{}\n", op.getLabel().str(), stringifyFamily(op.getFamily()).str(),
                 line.text);
      std::fflush(stdout);
      right = line.right && right.value_or(true);
    }
  });
  return right;
}

/// What runs kernels of the target that is asked for; null where nothing here does.
std::unique_ptr<KernelRunner> runnerFor(const Target &target, const Arguments &arguments,
                                        std::string &problem) {
  if (&target == &cpuTarget())
    return cpuRunner(arguments, problem);
  if (&target == &emulatedTarget())
    return emulatedRunner(arguments, problem);
  if (&target == &cudaTarget())
    problem = "kernels of `cuda` run inside programs: `--target cuda-emulated` runs the same ones "
              "here and predicts times, and `PROGRAM bench --device cuda` measures a program on a "
              "GPU";
  else
    problem = fmt::format("it runs kernels of `cpu` and of `cuda-emulated`, not of `{}`",
                          target.name().str());
  return nullptr;
}

} // namespace

int runKernel(const Arguments &arguments) {
  trial::Sizes given;
  if (auto problem = readSizes(arguments, given))
    return misuse(*problem);
  Compilation compilation(arguments);
  if (!compilation.target)
    return exitUsage;
  std::string problem;
  std::unique_ptr<KernelRunner> runner = runnerFor(*compilation.target, arguments, problem);
  if (!runner)
    return misuse(problem);
  Wishes wishes{arguments.has("time"), arguments.has("check"), {}};
  compilation.only = arguments.get("entry");
  bool isModule = llvm::sys::path::extension(compilation.file) == ".mlir";
  if (!compilation.model() || (!isModule && !compilation.lower("kernel")))
    return compilation.exitCode();
  if (isModule && arguments.has("cores"))
    return misuse("--cores chooses schedules, and a dump has its own");
  if (!compilation.only.empty())
    compilation.keepWanted();
  // Only what is compared may have sizes that nobody gave: small ones.
  trial::AllSizes all = trial::sizesOf(compilation.module(), given, wishes.check && !wishes.time);
  if (!all.missing.empty())
    return misuse(fmt::format("of `{0}` there is no size: --size {0}=N", all.missing));
  for (const auto &[name, size] : given)
    if (!all.sizes.contains(name))
      return misuse(fmt::format("--size: there is no dimension `{}`", name));
  if (!all.beyond.empty())
    return misuse("--size: " + all.beyond);
  wishes.sizes = all.sizes;
  std::optional<bool> right =
      reportAll(compilation.module(), arguments.get("only"), wishes, *runner);
  if (!right) {
    fmt::print(stderr, "weft kernel: there is no such kernel{}\n",
               isModule ? "; a dump is one of the stage kernel" : "");
    return exitUser;
  }
  return *right ? exitOk : exitUser;
}

} // namespace weft
