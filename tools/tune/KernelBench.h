// A kernel on this machine: its schedules are compiled, compared with the interpreter, and timed in
// turn with the default.
#ifndef WEFT_TOOLS_TUNE_KERNELBENCH_H
#define WEFT_TOOLS_TUNE_KERNELBENCH_H

#include "tools/kernel/Trial.h"
#include "tools/tune/Search.h"
#include "tools/tune/Subjects.h"

#include <memory>

namespace weft::tune {

class KernelBench : public Bench {
public:
  /// More than what caches hold, and less for a rough measure.
  static constexpr int64_t cold = 256 << 20, rough = 32 << 20;

  /// Of schedules, the default first, with buffers of so many bytes at all points.
  KernelBench(const Subject &subject, cpu::Isa isa, std::vector<kernel::ScheduleAttr> schedules,
              WeftPool &pool, int64_t bytes = cold);

  /// Compares the default with the interpreter, and candidates from now on, at `small` sizes, that
  /// leave tails, and at those that it is tuned for, where the interpreter gets there. Where it
  /// does not candidates are compared with the default's results alone.
  void expect(const trial::Sizes &small);
  /// What is wrong with the default: then there is nothing to search.
  const std::optional<std::string> &problem() const { return why; }
  bool isWrong() const { return wrong; }
  /// Seconds of all launches of a run with the default, a median.
  double usualSeconds(int64_t rounds);

  double now() override;
  bool interrupted() override;
  Ready prepare(size_t candidate) override;
  Pair pair() override;

private:
  using Memory = std::unique_ptr<trial::PlainMemory>;
  struct Runs { ///< of one schedule at each point
    std::unique_ptr<trial::KernelTrial> trial;
    std::vector<std::unique_ptr<trial::KernelTrial::Runs>> at;
  };
  Runs runsOf(size_t candidate);
  double seconds(Runs &runs);
  void expectResults(const trial::Sizes &sizes);

  const Subject &subject;
  cpu::Isa isa;
  std::vector<kernel::ScheduleAttr> schedules;
  WeftPool &pool;
  std::vector<Memory> memory;
  std::vector<trial::Expected> expected;
  Runs usual, candidate;
  std::optional<std::string> why;
  bool wrong = false;
  int64_t round = 0, repeats = 1, pairs = 0;
};

} // namespace weft::tune

#endif // WEFT_TOOLS_TUNE_KERNELBENCH_H
