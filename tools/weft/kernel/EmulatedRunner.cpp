// Kernels of a GPU, on the emulator.
#include "runtime/machine/Cores.h"
#include "tools/kernel/EmulatedTrial.h"
#include "tools/weft/build/Build.h"
#include "tools/weft/kernel/Runner.h"

#include <fmt/format.h>

namespace weft {
namespace {

class EmulatedRunner : public KernelRunner {
public:
  EmulatedRunner(const cuda::Device &image, const emulator::Device &device, unsigned workers)
      : image(image), device(device), workers(workers) {}

  std::string machine() const override {
    return fmt::format("{}, on the emulator; times are predicted for an {}, nothing is measured",
                       image.name.str(), device.name);
  }

  std::string columns(const Wishes &wishes) const override {
    std::string heads = fmt::format(" {:>7} {:>7} {:>9}", "blocks", "threads", "shared");
    if (wishes.time)
      heads += fmt::format(" {:>12} {:>8} {:>8}", "predicted us", "GB/s", "bound by");
    return heads + (wishes.check ? fmt::format(" {:>10}", "off by") : "");
  }

  Line run(kernel::FusedOp op, kernel::ScheduleAttr, const Wishes &wishes) override {
    trial::EmulatedTrial trial(op, image);
    auto refused = [&] { return Line{" " + trial.problem().value_or("refused"), false}; };
    if (trial.problem())
      return refused();
    Line line{fmt::format(" {:>7} {:>7} {:>9}", trial.blocks(wishes.sizes),
                          trial.threadsOfBlock(wishes.sizes), trial.sharedBytes(wishes.sizes))};
    if (wishes.time) {
      auto predicted = trial.predict(wishes.sizes, device, workers);
      if (!predicted)
        return refused();
      line.text += fmt::format(" {:>12.1f} {:>8.1f} {:>8}", predicted->time.seconds * 1e6,
                               double(predicted->bytes) / predicted->time.seconds / 1e9,
                               predicted->time.bound);
    }
    if (wishes.check) {
      std::optional<double> off = trial.check(wishes.sizes);
      if (!off && trial.problem()) // a race, a deadlock, what lies outside
        return refused();
      line.text += offBy(off, line.right);
    }
    return line;
  }

private:
  const cuda::Device &image;
  const emulator::Device &device;
  unsigned workers;
};
} // namespace

std::unique_ptr<KernelRunner> emulatedRunner(const Arguments &arguments, std::string &problem) {
  for (const char *option : {"every-schedule", "rounds", "warm"})
    if (arguments.has(option))
      return problem = fmt::format("--{} is for kernels of `cpu`, which are timed", option),
             nullptr;
  auto sets = chosenSets(arguments, cudaTarget());
  if (!sets || sets->size() != 1)
    return problem = sets ? "--isa takes one image" : "", nullptr;
  std::optional<int64_t> threads =
      wholeNumber(arguments.get("threads", std::to_string(runtime::availableCores())));
  if (!threads)
    return problem = "--threads takes a number from 1", nullptr;
  const cuda::Device *image = llvm::find_if(
      cuda::devices(), [&](const cuda::Device &each) { return each.name == sets->front(); });
  for (const emulator::Device *device : emulator::devices())
    if (image->name == device->image)
      return std::make_unique<EmulatedRunner>(*image, *device, unsigned(*threads));
  return problem = fmt::format("of devices for {} nothing is known", sets->front()), nullptr;
}

} // namespace weft
