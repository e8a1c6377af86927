// Kernels of the CPU, on the pool that programs have.
#include "ir/cpu/Schedules.h"
#include "runtime/machine/Cores.h"
#include "runtime/machine/Isa.h"
#include "tools/kernel/Trial.h"
#include "tools/weft/build/Build.h"
#include "tools/weft/kernel/Runner.h"

#include <fmt/format.h>

namespace weft {
namespace {

class CpuRunner : public KernelRunner {
public:
  CpuRunner(cpu::Isa isa, int threads, trial::TimeOptions timing, bool every)
      : isa(isa), timing(timing), every(every), pool(WeftPool::start(threads, /*pin=*/true)) {}

  std::string machine() const override {
    return fmt::format("{}{}, {} thread{}", cpu::isaName(isa).str(),
                       runtime::machineRuns(int(isa)) ? "" : ", emulated", pool->threads(),
                       pool->threads() == 1 ? "" : "s");
  }

  std::string columns(const Wishes &wishes) const override {
    return fmt::format(" {:>7}{}{}", "tasks",
                       wishes.time ? fmt::format(" {:>11} {:>10} {:>10} {:>8}", "median us", "25 %",
                                                 "75 %", "GB/s")
                                   : "",
                       wishes.check ? fmt::format(" {:>10}", "off by") : "");
  }

  llvm::SmallVector<kernel::ScheduleAttr> schedules(kernel::FusedOp op,
                                                    const kernel::DimTable &dims) const override {
    if (every)
      if (auto legal = cpu::legalSchedules({op, dims}, cpu::machineFor(isa, op)); succeeded(legal))
        return *legal;
    return {kernel::ScheduleAttr()};
  }

  Line run(kernel::FusedOp op, kernel::ScheduleAttr schedule, const Wishes &wishes) override {
    trial::KernelTrial trial(op, isa, schedule);
    if (trial.problem())
      return {" " + *trial.problem(), false};
    Line line{fmt::format(" {:>7}", trial.tasks(wishes.sizes))};
    if (wishes.time) {
      trial::Times times = trial.time(wishes.sizes, *pool, timing);
      line.text += fmt::format(" {:>11.1f} {:>10.1f} {:>10.1f} {:>8.1f}", times.median * 1e6,
                               times.lower * 1e6, times.upper * 1e6,
                               double(trial.bytes(wishes.sizes)) / times.median / 1e9);
    }
    if (wishes.check)
      line.text += offBy(trial.check(wishes.sizes, *pool), line.right);
    if (every) {
      line.text += "  ";
      llvm::raw_string_ostream(line.text) << schedule;
    }
    return line;
  }

private:
  cpu::Isa isa;
  trial::TimeOptions timing;
  bool every;
  std::shared_ptr<WeftPool> pool;
};
} // namespace

std::unique_ptr<KernelRunner> cpuRunner(const Arguments &arguments, std::string &problem) {
  std::optional<cpu::Isa> isa = chosenIsa(arguments, problem);
  if (!isa)
    return nullptr;
  std::optional<int64_t> rounds = wholeNumber(arguments.get("rounds", "15")),
                         threads = wholeNumber(
                             arguments.get("threads", std::to_string(runtime::availableCores())));
  if (!rounds || !threads)
    return problem = "--rounds and --threads take a number from 1", nullptr;
  if (std::string why = arguments.has("time") ? runtime::whyNot(int(*isa)) : ""; !why.empty())
    return problem = fmt::format("this machine does not run {}: {}", cpu::isaName(*isa).str(), why),
           nullptr;
  return std::make_unique<CpuRunner>(*isa, int(*threads),
                                     trial::TimeOptions{*rounds, arguments.has("warm")},
                                     arguments.has("every-schedule"));
}

} // namespace weft
