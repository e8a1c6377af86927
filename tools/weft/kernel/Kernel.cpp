// `weft kernel`: the kernels of a program one by one, with the schedule that they have: how many
// tasks, how long, and how far from the interpreter.
#include "ir/kernel/Kernel.h"
#include "ir/cpu/Schedules.h"
#include "runtime/machine/Isa.h"
#include "tools/kernel/Inputs.h"
#include "tools/kernel/Trial.h"
#include "tools/weft/base/Commands.h"
#include "tools/weft/base/Compilation.h"
#include "tools/weft/build/Build.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <thread>

namespace weft {
namespace {

/// What may be off of results by nothing but rounding.
constexpr double tolerated = 1e-4;

struct Wishes {
  cpu::Isa isa;
  int threads;
  trial::TimeOptions timing;
  bool time, check, every;
  std::string only;
  trial::Sizes sizes; ///< of every dimension
};

int misuse(const std::string &text) {
  fmt::print(stderr, "weft kernel: {}\n", text);
  return exitUsage;
}

std::optional<int64_t> whole(llvm::StringRef text) {
  int64_t value = 0;
  auto [end, error] = std::from_chars(text.begin(), text.end(), value);
  return error == std::errc() && end == text.end() && value >= 1 ? std::optional(value)
                                                                 : std::nullopt;
}

/// `--size batch=4,seq=64`, or what is wrong with it.
std::optional<std::string> readSizes(const Arguments &arguments, trial::Sizes &sizes) {
  for (const std::string &given : arguments.all("size")) {
    llvm::SmallVector<llvm::StringRef> pieces;
    llvm::StringRef(given).split(pieces, ',', -1, false);
    for (llvm::StringRef piece : pieces) {
      auto [name, number] = piece.split('=');
      std::optional<int64_t> value = whole(number);
      if (name.empty() || !value)
        return fmt::format("--size takes NAME=N with a number from 1, not `{}`", piece.str());
      sizes[name.str()] = *value;
    }
  }
  return std::nullopt;
}

/// A line of the table; gives whether the kernel is right, as far as that was asked.
bool report(kernel::FusedOp op, kernel::ScheduleAttr schedule, const Wishes &wishes,
            WeftPool &pool) {
  trial::KernelTrial trial(op, wishes.isa, schedule);
  std::string name =
      fmt::format("{:32} {:14}", op.getLabel().str(), stringifyFamily(op.getFamily()).str());
  if (trial.problem()) {
    fmt::print("{} {}\n", name, *trial.problem());
    return false;
  }
  std::string line = fmt::format("{} {:>7}", name, trial.tasks(wishes.sizes));
  bool right = true;
  if (wishes.time) {
    trial::Times times = trial.time(wishes.sizes, pool, wishes.timing);
    line += fmt::format(" {:>11.1f} {:>10.1f} {:>10.1f} {:>8.1f}", times.median * 1e6,
                        times.lower * 1e6, times.upper * 1e6,
                        double(trial.bytes(wishes.sizes)) / times.median / 1e9);
  }
  if (wishes.check) {
    std::optional<double> off = trial.check(wishes.sizes, pool);
    right = off && *off <= tolerated;
    line += off ? fmt::format(" {:>10.1e}", *off) : fmt::format(" {:>10}", "refused");
    if (!right)
      line += "  WRONG";
  }
  fmt::print("{}", line);
  if (wishes.every) {
    std::string text;
    llvm::raw_string_ostream(text) << schedule;
    fmt::print("  {}", text);
  }
  fmt::print("\n");
  std::fflush(stdout);
  return right;
}

/// All kernels that are asked for, each text once; gives whether all are right, or nothing if there
/// is none.
std::optional<bool> reportAll(mlir::ModuleOp module, const Wishes &wishes, WeftPool &pool) {
  auto dims = kernel::DimTable::of(module);
  fmt::print("{:32} {:14} {:>7}{}{}\n", "kernel", "family", "tasks",
             wishes.time
                 ? fmt::format(" {:>11} {:>10} {:>10} {:>8}", "median us", "25 %", "75 %", "GB/s")
                 : "",
             wishes.check ? fmt::format(" {:>10}", "off by") : "");
  std::optional<bool> right;
  llvm::StringSet<> seen;
  module.walk([&](kernel::FusedOp op) {
    if (!op.getLayouts()) // a dump of an earlier stage
      return;
    std::string text;
    llvm::raw_string_ostream stream(text);
    trial::alone(op)->print(stream);
    if (op.getLabel().find(wishes.only) == llvm::StringRef::npos || !seen.insert(text).second)
      return;
    llvm::SmallVector<kernel::ScheduleAttr> schedules = {{}};
    if (wishes.every)
      if (auto legal = cpu::legalSchedules({op, dims}, cpu::machineFor(wishes.isa, op));
          succeeded(legal))
        schedules = *legal;
    for (kernel::ScheduleAttr schedule : schedules)
      right = report(op, schedule, wishes, pool) && right.value_or(true);
  });
  return right;
}

} // namespace

int runKernel(const Arguments &arguments) {
  trial::Sizes given;
  if (auto problem = readSizes(arguments, given))
    return misuse(*problem);
  cpu::Isa widest = cpu::Isa::x86_64_v3;
  for (const cpu::Machine &machine : cpu::machines())
    if (runtime::machineRuns(int(machine.isa)))
      widest = machine.isa;
  if (arguments.has("isa")) {
    auto sets = chosenSets(arguments, cpuTarget());
    if (!sets || sets->size() != 1)
      return sets ? misuse("--isa takes one instruction set") : int(exitUsage);
    widest = *cpu::isaNamed(sets->front());
  }
  std::optional<int64_t> rounds = whole(arguments.get("rounds", "15")),
                         threads = whole(arguments.get(
                             "threads", std::to_string(std::thread::hardware_concurrency())));
  if (!rounds || !threads)
    return misuse("--rounds and --threads take a number from 1");
  Wishes wishes{widest,
                int(*threads),
                {*rounds, arguments.has("warm")},
                arguments.has("time"),
                arguments.has("check"),
                arguments.has("every-schedule"),
                arguments.get("only"),
                {}};
  if (wishes.time && !runtime::machineRuns(int(wishes.isa)))
    return misuse(fmt::format("this machine does not run {}", cpu::isaName(wishes.isa).str()));
  Compilation compilation(arguments);
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
  wishes.sizes = all.sizes;
  auto pool = WeftPool::start(wishes.threads, /*pin=*/true);
  fmt::print("{}, {} thread{}\n", cpu::isaName(wishes.isa).str(), pool->threads(),
             pool->threads() == 1 ? "" : "s");
  std::optional<bool> right = reportAll(compilation.module(), wishes, *pool);
  if (!right) {
    fmt::print(stderr, "weft kernel: there is no such kernel{}\n",
               isModule ? "; a dump is one of the stage kernel" : "");
    return exitUser;
  }
  return *right ? exitOk : exitUser;
}

} // namespace weft
