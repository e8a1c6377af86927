// `weft tune`: faster schedules for the kernels of a program, on this machine.
#include "runtime/base/files/NewFile.h"
#include "runtime/machine/Isa.h"
#include "tools/kernel/Inputs.h"
#include "tools/weft/base/Commands.h"
#include "tools/weft/base/Compilation.h"
#include "tools/weft/base/GivenSizes.h"
#include "tools/weft/build/Build.h"
#include "tools/weft/tune/Session.h"

#include "ir/model/Dims.h"
#include "ir/model/Entries.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <set>

namespace weft {
namespace {

int misuse(const std::string &text) {
  if (!text.empty()) // else it is said
    fmt::print(stderr, "weft tune: {}\n", text);
  return exitUsage;
}

/// Seconds of `90s`, `10m` or `1h`; nothing of another text.
std::optional<double> readTime(llvm::StringRef text) {
  double unit = text.consume_back("h") ? 3600 : text.consume_back("m") ? 60 : 1;
  text.consume_back("s");
  double number = 0;
  if (text.getAsDouble(number) || !(number > 0) || number > 1e6)
    return std::nullopt;
  return number * unit;
}

/// The entries of a file, if there is one; what is wrong with some is said, and they will go when
/// it is written anew.
std::optional<std::vector<cpu::Tuning>> readFile(const std::string &path, bool mayLack) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file) {
    if (mayLack && file.getError() == std::errc::no_such_file_or_directory)
      return std::vector<cpu::Tuning>();
    fmt::print(stderr, "weft tune: cannot read {}: {}\n", path, file.getError().message());
    return std::nullopt;
  }
  cpu::ReadTunings read = cpu::readTunings((*file)->getBuffer());
  if (mayLack && read.tunings.empty() && !read.problems.empty()) { // or it would be lost
    fmt::print(stderr,
               "weft tune: {}:{}: there are no tunings in this file, which would be "
               "overwritten: {}\n",
               path, read.problems.front().line, read.problems.front().why);
    return std::nullopt;
  }
  for (const cpu::TuningProblem &problem : read.problems)
    fmt::print(stderr, "{}:{}: warning: this tuning is not used: {}\n", path, problem.line,
               problem.why);
  return read.tunings;
}

int merge(const Arguments &arguments) {
  std::vector<cpu::Tuning> all;
  for (const std::string &path : arguments.positional) {
    auto read = readFile(path, /*mayLack=*/false);
    if (!read)
      return exitUser;
    all.insert(all.end(), read->begin(), read->end());
  }
  runtime::Status written =
      runtime::writeFile(arguments.get("output"), cpu::writeTunings(cpu::merged(all)));
  if (!written)
    fmt::print(stderr, "weft tune: {}\n", written.error().message);
  return written ? exitOk : exitUser;
}

/// Of lists with commas, given once or more.
std::vector<std::string> namesOf(const std::vector<std::string> &lists) {
  std::vector<std::string> names;
  for (llvm::StringRef list : lists)
    for (llvm::StringRef name : llvm::split(list, ','))
      if (!name.trim().empty())
        names.push_back(name.trim().str());
  return names;
}

/// Whether a function is one of --entry, or derived of one; all are without it.
bool wants(const std::vector<std::string> &entries, mlir::func::FuncOp function) {
  llvm::StringRef name = model::publicName(function);
  return entries.empty() || llvm::any_of(entries, [&](const std::string &entry) {
           return name == entry || name.starts_with(entry + ".");
         });
}

/// Sizes that a point has not, but kernels need; nothing if it has all.
std::string missing(mlir::ModuleOp module, const std::vector<tune::Subject> &subjects,
                    const trial::Sizes &given) {
  model::Dims dims(module);
  std::set<std::string> names;
  for (const tune::Subject &subject : subjects)
    for (const std::string &dim : subject.key.dims)
      for (const std::string &free : dims.size(dim).dims())
        if (!given.contains(free))
          names.insert(free + "=N");
  if (names.empty())
    return "";
  return fmt::format(
      "sizes are missing: add {} to --size, or name entries that need none (--entry)",
      llvm::join(names, ","));
}

std::optional<cpu::Isa> isaFor(const Arguments &arguments, std::string &problem) {
  std::optional<cpu::Isa> isa = chosenIsa(arguments, problem);
  if (isa == cpu::Isa::amx)
    return problem =
               "--isa amx: products by AMX have schedules of their own, which are not tuned yet; "
               "tune avx512, whose schedules all other kernels of amx take",
           std::nullopt;
  if (std::string why = isa ? runtime::whyNot(int(*isa)) : ""; !why.empty())
    return problem = fmt::format("this machine does not run {}: {}", cpu::isaName(*isa).str(), why),
           std::nullopt;
  return isa;
}

/// Every size of each point; says what is wrong with them.
std::optional<tune::Points> pointsOf(mlir::ModuleOp module, const std::vector<trial::Sizes> &given,
                                     std::string &problem) {
  tune::Points points;
  for (const trial::Sizes &each : given) {
    trial::AllSizes all = trial::sizesOf(module, each, /*small=*/true);
    for (const auto &[name, size] : each)
      if (!all.sizes.contains(name))
        problem = fmt::format("--size: there is no dimension `{}`", name);
    if (!all.beyond.empty())
      problem = "--size: " + all.beyond;
    points.push_back(all.sizes);
  }
  return problem.empty() ? std::optional(points) : std::nullopt;
}
} // namespace

int runTune(const Arguments &arguments) {
  if (!arguments.has("output"))
    return misuse("where to? add `-o FILE`");
  if (arguments.has("merge"))
    return merge(arguments);
  if (arguments.positional.size() > 1)
    return misuse("it tunes one program at a time; with --merge it joins files");
  if (llvm::sys::path::extension(arguments.positional[0]) == ".mlir")
    return misuse("it takes a source; kernels of a dump are timed by `weft kernel`");
  std::vector<trial::Sizes> given;
  for (const std::string &list : arguments.all("size"))
    if (auto problem = readSizeList(list, given.emplace_back()))
      return misuse(*problem);
  if (given.empty())
    given.emplace_back();
  std::optional<double> seconds = readTime(arguments.get("time", "10m"));
  if (!seconds)
    return misuse(fmt::format("--time takes 90s, 10m or 1h, not `{}`", arguments.get("time")));
  Compilation compilation(arguments);
  if (!compilation.target)
    return exitUsage;
  if (compilation.target != &cpuTarget())
    return misuse(
        fmt::format("it tunes kernels of `cpu`, not of `{}`", compilation.target->name().str()));
  std::string problem;
  std::optional<cpu::Isa> isa = isaFor(arguments, problem);
  if (!isa)
    return misuse(problem);
  compilation.gradients = true; // as a build has them
  if (!compilation.model())
    return compilation.exitCode();
  auto known = readFile(arguments.get("output"), /*mayLack=*/true);
  if (!known)
    return exitUser;
  // Not when minutes have gone into what is to be written.
  if (auto file = runtime::NewFile::create(arguments.get("output")); !file) {
    fmt::print(stderr, "weft tune: {}\n", file.error().message);
    return exitUser;
  }
  if (!compilation.lower("kernel"))
    return compilation.exitCode();
  mlir::ModuleOp module = compilation.module();
  std::optional<tune::Points> points = pointsOf(module, given, problem);
  if (!points)
    return misuse(problem);
  std::vector<std::string> entries = namesOf(arguments.all("entry"));
  auto wanted = [&](mlir::func::FuncOp function) { return wants(entries, function); };
  for (const std::string &entry : entries)
    if (llvm::none_of(module.getOps<mlir::func::FuncOp>(),
                      [&](mlir::func::FuncOp function) { return wants({entry}, function); }))
      return misuse(fmt::format("there is no entry `{}`", entry));
  std::vector<tune::Subject> subjects = tune::subjectsOf(module, wanted, *points);
  for (const trial::Sizes &each : given)
    if (std::string what = missing(module, subjects, each); !what.empty())
      return misuse(what);
  llvm::erase_if(subjects, [&](tune::Subject &subject) {
    return subject.op.getLabel().find(arguments.get("only")) == llvm::StringRef::npos;
  });
  if (subjects.empty()) {
    fmt::print(stderr, "weft tune: there is no such kernel\n");
    return exitUser;
  }
  TuneWishes wishes{.isa = *isa,
                    .small = trial::sizesOf(module, {}, /*small=*/true).sizes,
                    .seconds = *seconds,
                    .explain = arguments.has("explain"),
                    .again = arguments.has("again"),
                    .output = arguments.get("output")};
  return TuneSession(module, std::move(subjects), std::move(wishes), std::move(*known)).run();
}

} // namespace weft
