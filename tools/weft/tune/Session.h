// One run of `weft tune`: the kernels of a program one after the other, the most valuable first.
#ifndef WEFT_TOOLS_WEFT_TUNE_SESSION_H
#define WEFT_TOOLS_WEFT_TUNE_SESSION_H

#include "ir/cpu/tuning/Tunings.h"
#include "tools/tune/KernelBench.h"

namespace weft {

struct TuneWishes {
  cpu::Isa isa;
  trial::Sizes small;   ///< that leave tails
  double seconds = 600; ///< of searching
  bool explain = false, again = false;
  std::string output;
};

class TuneSession {
public:
  TuneSession(mlir::ModuleOp module, std::vector<tune::Subject> subjects, TuneWishes wishes,
              std::vector<cpu::Tuning> known);

  /// Searches, writing down each kernel's result as it comes; gives the exit code.
  int run();

private:
  struct Job {
    const tune::Subject *subject;
    std::vector<kernel::ScheduleAttr> schedules;
    std::vector<double> predicted;
    double seconds = 0; ///< of a run, with the default
    double weight = 0;
    std::optional<cpu::Tuning> earlier; ///< a search that had no time for some of them
  };
  bool prepare();
  bool timed(Job &job);
  bool isOver() const;
  std::optional<Job> jobFor(const tune::Subject &subject);
  std::optional<cpu::Tuning> known(const Job &job) const;
  void take(const Job &job, const cpu::Tuning &known);
  std::string sizesOf(const tune::Subject &subject) const;
  bool searchOne(Job &job, size_t number, double until);
  void refuse(const Job &job, const tune::KernelBench &bench);
  static bool earlierStays(const Job &job, const tune::Found &found);
  static std::string outcome(const Job &job, const tune::Found &found);
  cpu::Tuning tuningOf(const Job &job, const tune::Found &found) const;
  bool save(const cpu::Tuning &tuning);
  void explain(const Job &job, const tune::Found &found) const;
  void conclude() const;

  mlir::ModuleOp module;
  kernel::DimTable dims;
  std::vector<tune::Subject> subjects;
  TuneWishes wishes;
  std::vector<cpu::Tuning> tunings;
  std::string machineName;
  std::unique_ptr<WeftPool> pool;
  std::vector<Job> jobs;
  double end = 0;              ///< of the time
  double total = 0, saved = 0; ///< seconds of a run
  size_t better = 0, searched = 0, small = 0, had = 0, left = 0;
  bool wrong = false, written = false;
};

} // namespace weft

#endif // WEFT_TOOLS_WEFT_TUNE_SESSION_H
