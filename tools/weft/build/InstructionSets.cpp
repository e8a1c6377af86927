// What `--isa` says, beside what targets have and this machine runs.
#include "tools/weft/build/InstructionSets.h"

#include "runtime/machine/Isa.h"

#include "llvm/ADT/StringExtras.h"

#include <cstdlib>
#include <fmt/format.h>

namespace weft {

static constexpr llvm::StringLiteral nativeName = "native";

/// The one of the CPU's `sets` that a program with all of them chooses here; x86-64-v3 if none
/// runs.
static std::string bestHere(llvm::ArrayRef<std::string> sets) {
  std::string best;
  for (const cpu::Machine &machine : cpu::machines())
    if (llvm::is_contained(sets, machine.name) && runtime::machineGainsBy(int(machine.isa)) &&
        runtime::machineRuns(int(machine.isa)))
      best = machine.name;
  return best.empty() ? cpu::isaName(cpu::Isa::x86_64_v3).str() : best;
}

static std::vector<std::string> setsOf(const Target &target) {
  std::vector<std::string> all;
  for (llvm::StringRef set : target.instructionSets())
    all.push_back(set.str());
  return all;
}

/// The names in `--isa`, each once and one of `known`, unless `native` stands for them; prints what
/// is wrong.
static std::optional<std::vector<std::string>> namesGiven(const Arguments &arguments,
                                                          llvm::ArrayRef<std::string> known) {
  std::string list = arguments.get("isa");
  llvm::SmallVector<llvm::StringRef> names;
  llvm::StringRef(list).split(names, ',');
  std::vector<std::string> result;
  for (llvm::StringRef name : names) {
    if (name == nativeName && names.size() > 1) {
      fmt::print(stderr,
                 "weft: --isa native is this machine's one set, and goes alone; `{}` names "
                 "others too\n",
                 list);
      return std::nullopt;
    }
    if (name != nativeName && !llvm::is_contained(known, name)) {
      fmt::print(stderr, "weft: there is no instruction set `{}`; there {} {}\n", name.str(),
                 known.size() == 1 ? "is" : "are", llvm::join(known, " and "));
      return std::nullopt;
    }
    if (llvm::is_contained(result, name)) {
      fmt::print(stderr, "weft: --isa says `{}` twice\n", name.str());
      return std::nullopt;
    }
    result.push_back(name.str());
  }
  return result;
}

static bool saysNative(const Arguments &arguments) {
  return arguments.get("isa") == nativeName;
}

static void printNoneOf(const Target &target) {
  fmt::print(stderr, "weft: --isa names no instruction set of the target `{}`; there {} {}\n",
             target.name().str(), target.instructionSets().size() == 1 ? "is" : "are",
             llvm::join(target.instructionSets(), " and "));
}

std::optional<std::vector<std::string>> chosenSets(const Arguments &arguments,
                                                   const Target &target) {
  std::vector<std::string> known = setsOf(target);
  if (!arguments.has("isa")) {
    known.resize(1);
    return known;
  }
  if (!saysNative(arguments))
    return namesGiven(arguments, known);
  if (&target == &cpuTarget())
    return std::vector<std::string>{bestHere(known)};
  printNoneOf(target);
  return std::nullopt;
}

/// Nobody knows which kernels it is for, and most are those of avx512: amx is for who asks.
std::optional<cpu::Isa> chosenIsa(const Arguments &arguments, std::string &problem) {
  std::vector<std::string> known = setsOf(cpuTarget());
  llvm::erase(known, cpu::isaName(cpu::Isa::amx));
  std::vector<std::string> sets{bestHere(known)};
  if (arguments.has("isa") && !saysNative(arguments)) {
    auto named = namesGiven(arguments, setsOf(cpuTarget()));
    if (!named || named->size() != 1)
      return problem = named ? "--isa takes one instruction set" : "", std::nullopt;
    sets = *named;
  }
  return cpu::isaNamed(sets.front());
}

std::optional<SetsToBuild> setsToBuild(const Arguments &arguments,
                                       llvm::ArrayRef<const Target *> targets, RunsOn where) {
  SetsToBuild result;
  result.native = saysNative(arguments);
  result.areGiven = arguments.has("isa") && !result.native;
  const char *forced = getenv("WEFT_ISA");
  if (!arguments.has("isa") && where == RunsOn::thisMachine && !(forced && *forced))
    result.native = true;
  if (saysNative(arguments) && !llvm::is_contained(targets, &cpuTarget())) {
    printNoneOf(*targets.front());
    return std::nullopt;
  }
  std::vector<std::string> known, names;
  for (const Target *target : targets)
    llvm::append_range(known, setsOf(*target));
  if (arguments.has("isa")) {
    auto given = namesGiven(arguments, known);
    if (!given)
      return std::nullopt;
    names = std::move(*given);
  }
  for (const Target *target : targets) {
    std::vector<std::string> sets = setsOf(*target);
    if (result.areGiven)
      llvm::erase_if(sets, [&](const std::string &set) { return !llvm::is_contained(names, set); });
    if (sets.empty()) {
      printNoneOf(*target);
      return std::nullopt;
    }
    result.ofTargets.push_back(std::move(sets));
  }
  return result;
}

std::vector<std::string> SetsToBuild::carried(size_t number, const Target &target,
                                              mlir::ModuleOp plan) const {
  std::vector<std::string> sets = ofTargets[number];
  if (areGiven)
    return sets;
  llvm::erase_if(sets, [&](const std::string &set) { return !target.gainsBy(plan, set); });
  if (native && &target == &cpuTarget())
    return {bestHere(sets)};
  return sets;
}

} // namespace weft
