// Which tunings count.
#include "ir/cpu/tuning/Tunings.h"

#include "llvm/ADT/STLExtras.h"

#include <tuple>

namespace weft::cpu {

/// Raised where a family's schedules come to mean something else, or its emitter makes other code
/// of them: what was measured before is then no longer what runs.
static int versionOf(kernel::Family family) {
  switch (family) {
  case kernel::Family::contraction:
    return 8;
  case kernel::Family::attention:
    return 5;
  case kernel::Family::attention_grad:
    return 4;
  case kernel::Family::rows:
  case kernel::Family::scatter:
    return 3;
  case kernel::Family::table:
  case kernel::Family::pack:
    return 1;
  }
  llvm_unreachable("no other families");
}

std::string madeBy(kernel::Family family) {
  return ("weft " WEFT_VERSION ", " + kernel::stringifyFamily(family) + " " +
          llvm::Twine(versionOf(family)))
      .str();
}

bool isBetterFounded(const Tuning &one, const Tuning &other) {
  auto order = [](const Tuning &each) {
    return std::tuple(-each.pairs, each.tunedMicroseconds / each.usualMicroseconds, each.untried,
                      writeTuning(each));
  };
  return order(one) < order(other);
}

TuningTable tableOf(ReadTunings &read, llvm::StringRef machine) {
  TuningTable table;
  for (Tuning &each : read.tunings) {
    auto refuse = [&](const llvm::Twine &why) { read.problems.push_back({each.line, why.str()}); };
    llvm::StringRef family = llvm::StringRef(each.what).split(' ').first;
    std::optional<kernel::Family> known = kernel::symbolizeFamily(family);
    if (!known) {
      refuse("there is no family `" + family + "`");
    } else if (each.machine != machine) {
      refuse("it is of another machine: " + each.machine + "; this is " + machine);
    } else if (each.by != madeBy(*known)) {
      refuse("it is by " + each.by + ", and this is " + madeBy(*known) + ": tune it again");
    } else {
      auto [at, isNew] = table.try_emplace({each.kernel, each.set}, each);
      if (!isNew && isBetterFounded(each, at->second))
        at->second = each;
    }
  }
  llvm::sort(read.problems, [](const TuningProblem &one, const TuningProblem &other) {
    return one.line < other.line;
  });
  return table;
}

std::vector<Tuning> merged(std::vector<Tuning> all) {
  auto about = [](const Tuning &each) {
    return std::tuple(each.machine, each.set, each.by, each.kernel);
  };
  llvm::sort(all, [&](const Tuning &one, const Tuning &other) {
    return about(one) != about(other) ? about(one) < about(other) : isBetterFounded(one, other);
  });
  all.erase(std::unique(
                all.begin(), all.end(),
                [&](const Tuning &one, const Tuning &other) { return about(one) == about(other); }),
            all.end());
  return all;
}

} // namespace weft::cpu
