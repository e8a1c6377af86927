// Any text as a file of tunings: what is read is written as it was read, and lines that are named
// are there.
#include "ir/cpu/tuning/Tunings.h"
#include "tests/fuzz/Require.h"

#include "llvm/ADT/StringExtras.h"

using namespace weft;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  cpu::ReadTunings read = cpu::readTunings(text);
  unsigned lines = unsigned(text.count('\n')) + 1;
  for (const cpu::TuningProblem &problem : read.problems)
    require(problem.line >= 1 && problem.line <= lines + 8 && !problem.why.empty());
  for (const cpu::Tuning &tuning : read.tunings) {
    require(text.contains(cpu::writeTuning(tuning)) || !text.ends_with("\n"));
    cpu::ReadTunings again = cpu::readTunings(cpu::writeTuning(tuning));
    require(again.problems.empty() && again.tunings.size() == 1);
    require(cpu::writeTuning(again.tunings.front()) == cpu::writeTuning(tuning));
  }
  std::vector<cpu::Tuning> all = read.tunings;
  require(cpu::merged(all).size() <= all.size());
  cpu::tableOf(read, all.empty() ? "" : all.front().machine);
  return 0;
}
