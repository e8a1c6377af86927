// What `weft explain` says of the kernels of a GPU's program.
#include "tools/weft/show/DeviceKernels.h"

#include "codegen/gpu/Entries.h"
#include "ir/cuda/Schedules.h"
#include "ir/model/Entries.h"
#include "ir/plan/Launches.h"
#include "tools/kernel/Estimated.h"
#include "tools/weft/show/KernelText.h"

#include <fmt/format.h>

#include <map>

namespace weft {

std::string bytesText(double bytes) {
  constexpr double kilo = 1 << 10, mega = 1 << 20;
  return bytes < kilo   ? fmt::format("{:.0f} B", bytes)
         : bytes < mega ? fmt::format("{:.1f} KB", bytes / kilo)
                        : fmt::format("{:.1f} MB", bytes / mega);
}

namespace {

std::string operations(double flops) {
  return flops < 1e6   ? fmt::format("{:.0f} FLOP", flops)
         : flops < 1e9 ? fmt::format("{:.2f} MFLOP", flops / 1e6)
                       : fmt::format("{:.2f} GFLOP", flops / 1e9);
}

std::string counted(int64_t count, const char *what, const char *more) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : more);
}

std::string secondsText(double seconds) {
  return seconds < 1e-3 ? fmt::format("{:.1f} us", seconds * 1e6)
                        : fmt::format("{:.2f} ms", seconds * 1e3);
}

/// `rows<threads = 256, …>`
std::string textOf(mlir::Attribute schedule) {
  std::string text;
  llvm::raw_string_ostream(text) << schedule;
  return text.substr(text.find('.') + 1);
}

class DeviceKernels {
public:
  DeviceKernels(mlir::ModuleOp plan, TakenSizes &sizes)
      : plan(plan), dims(kernel::DimTable::of(plan)),
        at([&sizes](const Size &size) { return sizes.number(size); }) {}

  /// Notes which kernels an entry launches, and how often.
  void add(plan::EntryOp entry) {
    std::string name = model::publicName(entry).str();
    for (const plan::Launch &launch : plan::launchesOf(entry)) {
      if (!entry.getBody().isAncestor(launch.front()->getParentRegion()))
        continue; // of `prepare`
      int64_t times = 1;
      for (auto loop = launch.front()->getParentOfType<plan::LoopOp>(); loop;
           loop = loop->getParentOfType<plan::LoopOp>())
        times *= at(Size::dim(loop.getDim().getValue()));
      for (plan::LaunchOp each : launch)
        launches[each.getKernel()][name] += times;
      totals[name].launched.push_back({launch, times});
    }
    entries.push_back(name);
  }

  bool print() {
    for (auto [number, kernel] : llvm::enumerate(plan.getOps<plan::KernelOp>()))
      if (auto of = launches.find(kernel.getSymName()); of != launches.end())
        if (!print(gpu::kernelName(number, kernel.getSymName()),
                   llvm::cast<kernel::FusedOp>(kernel.getBody().front().front()), of->second))
          return false;
    for (const std::string &entry : entries)
      printTotal(entry);
    return true;
  }

private:
  using Launches = std::map<std::string, int64_t>; ///< how often, by the entry

  bool print(const std::string &name, kernel::FusedOp op, const Launches &launched) {
    auto work = kernel::workOf(op, dims, at);
    if (failed(work))
      return false;
    std::string who, lines = linesOf(op);
    for (const auto &[entry, times] : launched)
      who += fmt::format("{}{}{}", who.empty() ? "" : ", ", entry,
                         times == 1 ? "" : fmt::format(" x{}", times));
    fmt::print("  {}: {}{}, in {}\n", name, stringifyFamily(op.getFamily()).str(),
               lines.empty() ? "" : ", lines " + lines, who);
    fmt::print("    {}, reads {}, writes {}: {:.3g} FLOP a byte{}\n", operations(work->flops()),
               bytesText(work->read), bytesText(work->written),
               work->bytes() > 0 ? work->flops() / work->bytes() : 0,
               work->shown < 1
                   ? fmt::format("; its mask shows {:.0f} % of the scores", 100 * work->shown)
                   : "");
    mlir::DictionaryAttr schedules = op.getScheduleAttr();
    llvm::StringRef only = onlyIn(schedules);
    mlir::Attribute before;
    for (auto [image, device] : llvm::zip_equal(cuda::devices(), emulator::devices())) {
      auto schedule =
          schedules ? schedules.getAs<cuda::DeviceSchedule>(image.name) : cuda::DeviceSchedule();
      if (!schedule)
        return op.emitError("has no schedule for ") << image.name, false;
      auto estimate = schedule.estimate({op, dims, at});
      if (failed(estimate))
        return false;
      if (schedule != before)
        fmt::print("    {}{}\n", textOf(schedule),
                   only == image.name ? "; no other image has it so" : "");
      before = schedule;
      print(image.name, *estimate, *work, *device);
      kernelsOf[device][op->getParentOfType<plan::KernelOp>().getSymName()] = {*estimate, *work};
    }
    return true;
  }

  /// A line of a launch on a device.
  static void print(llvm::StringRef image, const cuda::Estimate &estimate, const kernel::Work &work,
                    const emulator::Device &device) {
    emulator::Prediction time = trial::predict(estimate, work, device);
    fmt::print("      {:7} {:9} {} of {} threads, {} registers, {} shared{}: ", image.str(),
               device.name, counted(estimate.blocks, "block", "s"), estimate.threads,
               estimate.registers, bytesText(double(estimate.sharedBytes)), behind(estimate));
    if (time.seconds == 0)
      fmt::print("a block does not fit it\n");
    else
      fmt::print("{}, {:.0f} % of its roofline, bound by {}\n", secondsText(time.seconds),
                 100 * trial::roofline(work, device) / time.seconds, time.bound);
  }

  /// What is launched behind the first one.
  static std::string behind(const cuda::Estimate &estimate) {
    std::string text;
    for (const cuda::Estimate *each = &estimate; each->then; each = each->then.get())
      text += fmt::format(", then {} of {} threads, {} registers, on {} left",
                          counted(each->then->blocks, "block", "s"), each->then->threads,
                          each->then->registers, bytesText(each->left));
    return text;
  }

  /// What each entry launches together, and what all of its launches take.
  void printTotal(const std::string &entry) {
    int64_t count = 0;
    std::map<const emulator::Device *, double> seconds;
    for (const auto &[launch, times] : totals[entry].launched) {
      if (launch.size() > 1)
        fmt::print("  {} kernels as one launch, in {}, from {} to {}\n", launch.size(), entry,
                   plan::LaunchOp(launch.front()).getKernel().str(),
                   plan::LaunchOp(launch.back()).getKernel().str());
      int64_t most = 1; // of either image: a kernel may be done in several
      for (auto [image, device] : llvm::zip_equal(cuda::devices(), emulator::devices())) {
        cuda::Estimate estimate;
        kernel::Work work;
        for (plan::LaunchOp each : launch) {
          const auto &[ofOne, toDo] = kernelsOf[device][each.getKernel()];
          estimate = each == launch.front() ? ofOne : cuda::together(estimate, ofOne);
          work = each == launch.front() ? toDo : kernel::together(work, toDo);
        }
        emulator::Prediction time = trial::predict(estimate, work, *device);
        if (launch.size() > 1)
          print(image.name, estimate, work, *device);
        seconds[device] += double(times) * time.seconds;
        most = std::max<int64_t>(most, time.launches);
      }
      count += times * most;
    }
    fmt::print("  {}: {}", entry, counted(count, "launch", "es"));
    for (const emulator::Device *device : emulator::devices())
      fmt::print(", {} {}", secondsText(seconds[device]), device->name);
    fmt::print("\n");
  }

  /// The image of which the schedule is of a kind that no other image has, if it is the best one's.
  static llvm::StringRef onlyIn(mlir::DictionaryAttr schedules) {
    llvm::StringRef best = cuda::devices().back().name;
    auto kind = [&](llvm::StringRef image) {
      mlir::Attribute schedule = schedules ? schedules.get(image) : mlir::Attribute();
      return schedule ? textOf(schedule).substr(0, textOf(schedule).find('<')) : std::string();
    };
    for (const cuda::Device &image : cuda::devices().drop_back())
      if (kind(image.name) == kind(best))
        return "";
    return best;
  }

  mlir::ModuleOp plan;
  kernel::DimTable dims;
  kernel::SizesAt at;
  llvm::StringMap<Launches> launches;
  std::vector<std::string> entries;
  struct Total {
    std::vector<std::pair<plan::Launch, int64_t>> launched; ///< and how often
  };
  std::map<std::string, Total> totals;
  std::map<const emulator::Device *, llvm::StringMap<std::pair<cuda::Estimate, kernel::Work>>>
      kernelsOf;
};
} // namespace

bool explainDevices(mlir::ModuleOp plan, TakenSizes &sizes,
                    const std::function<bool(mlir::Operation *)> &wants) {
  DeviceKernels kernels(plan, sizes);
  for (auto entry : plan.getOps<plan::EntryOp>())
    if (wants(entry))
      kernels.add(entry);
  fmt::print("kernels on GPUs, predicted (docs/predictions.md); no time here is measured\n");
  bool read = kernels.print();
  if (std::string where = sizes.where(); !where.empty())
    fmt::print("  that is{}\n", where);
  return read;
}

} // namespace weft
