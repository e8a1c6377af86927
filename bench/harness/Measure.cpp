// Options, launches and times of the benches of kernels.
#include "Measure.h"

#include "runtime/machine/Denormals.h"
#include "runtime/machine/Isa.h"
#include "runtime/machine/Peaks.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <fmt/format.h>
#include <getopt.h>
#include <limits>
#include <numeric>

#include "llvm/ADT/StringExtras.h"

namespace weft::bench {

std::string Options::operator[](const std::string &name) const {
  auto found = own.find(name);
  return found == own.end() ? "" : found->second;
}

void refuse(const std::string &why) {
  fmt::print(stderr, "{}: {}\n", program_invocation_short_name, why);
  std::exit(2);
}

static cpu::Isa readIsa(const std::string &name) {
  std::optional<cpu::Isa> isa = cpu::isaNamed(name);
  if (!isa)
    refuse(fmt::format(
        "unknown instruction set `{}`; known are {}", name,
        llvm::join(llvm::map_range(cpu::machines(), [](auto &each) { return each.name.str(); }),
                   ", ")));
  if (std::string why = runtime::whyNot(int(*isa)); !why.empty())
    refuse(fmt::format("this machine does not run {}: {}", name, why));
  return *isa;
}

static int readCount(const char *option, const std::string &text) {
  int count = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count < 1)
    refuse(fmt::format("--{} takes a number from 1, not `{}`", option, text));
  return count;
}

Options parse(int argc, char **argv, int threads, int rounds, std::vector<std::string> own) {
  auto widest =
      runtime::machineRuns(int(cpu::Isa::avx512)) ? cpu::Isa::avx512 : cpu::Isa::x86_64_v3;
  Options options{widest, threads, rounds, {}, {}};
  std::vector<option> known = {{"isa", required_argument, nullptr, 0},
                               {"threads", required_argument, nullptr, 0},
                               {"rounds", required_argument, nullptr, 0}};
  for (std::string &name : own) {
    bool takesValue = name.ends_with('=');
    if (takesValue)
      name.pop_back();
    known.push_back({name.c_str(), takesValue ? required_argument : no_argument, nullptr, 0});
  }
  known.push_back({});
  for (int at = 0, c; (c = getopt_long(argc, argv, "", known.data(), &at)) != -1;) {
    if (c != 0)
      std::exit(2); // getopt has said why
    std::string name = known[at].name, value = optarg ? optarg : "";
    if (name == "isa")
      options.isa = readIsa(value);
    else if (name == "threads")
      options.threads = readCount("threads", value);
    else if (name == "rounds")
      options.rounds = readCount("rounds", value);
    else
      options.own[name] = value;
  }
  options.arguments.assign(argv + optind, argv + argc);
  return options;
}

std::unique_ptr<WeftPool> startPool(const Options &options) {
  runtime::ignoreDenormals();
  auto pool = WeftPool::start(options.threads, true);
  fmt::print("{}, {} threads\n", runtime::isaName(int(options.isa)), pool->threads());
  return pool;
}

double seconds(const std::function<void()> &work) {
  auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

runtime::Block memory(int64_t bytes) {
  auto block = runtime::Block::create(bytes, "a buffer");
  if (!block)
    refuse(block.error().message);
  return std::move(*block);
}

runtime::Block floats(int64_t count) {
  return memory(count * int64_t(sizeof(float)));
}

runtime::Block randomFloats(int64_t count) {
  runtime::Block block = floats(count);
  auto *values = reinterpret_cast<float *>(block.data());
  uint32_t state = 1;
  for (int64_t i = 0; i < count; ++i)
    values[i] = float((state = state * 1664525 + 1013904223) >> 8) / (1 << 23) - 1;
  return block;
}

/// The same, cut to bfloat16.
static runtime::Block randomHalves(int64_t count) {
  runtime::Block block = memory(count * int64_t(sizeof(uint16_t))), wide = randomFloats(count);
  auto *halves = reinterpret_cast<uint16_t *>(block.data());
  auto *values = reinterpret_cast<const uint32_t *>(wide.data());
  for (int64_t i = 0; i < count; ++i)
    halves[i] = uint16_t(values[i] >> 16);
  return block;
}

bool isNarrow(const Options &options) {
  std::string precision = options["precision"];
  if (!precision.empty() && precision != "float32" && precision != "bf16")
    refuse(fmt::format("unknown precision `{}`; known are float32 and bf16", precision));
  return precision == "bf16";
}

runtime::Block randomSide(const Options &options, int64_t count) {
  return isNarrow(options) ? randomHalves(count) : randomFloats(count);
}

double limitOf(const Options &options, WeftPool &pool) {
  bool hasPairs = isNarrow(options) || options.isa == cpu::Isa::x86_64_v3;
  return runtime::multiplyAddRate(pool, int(hasPairs ? options.isa : cpu::Isa::avx512));
}

constexpr int64_t page = 4096;

Launch::Launch(test::Kernel &kernel, const test::Sizes &sizes, WeftPool &pool)
    : launches(kernel.launches(sizes)),
      values(kernel.op().getNumOperands() + kernel.op().getNumResults()),
      sizes(kernel.numbered(sizes)), pool(pool), count(kernel.tasks(sizes)),
      stride((kernel.scratchBytes(sizes) + page - 1) / page * page),
      scratch(memory(stride * pool.threads())), shared(memory(kernel.sharedBytes(sizes))) {
  for (const test::Kernel::Launch &launch : launches)
    least.emplace_back(launch.tasks, std::numeric_limits<double>::infinity());
}

double Launch::undisturbed() const {
  double sum = 0;
  for (const std::vector<double> &tasks : least)
    sum = std::accumulate(tasks.begin(), tasks.end(), sum);
  return sum / pool.threads();
}

void Launch::operator()(void *const *given) {
  buffers.assign(given, given + values);
  if (shared.size() > 0)
    buffers.push_back(shared.data());
  for (size_t i = 0; i < launches.size(); ++i) {
    current = launches[i];
    taken = least[i].data();
    pool.run(
        current.tasks,
        [](void *context, int64_t task, int worker) {
          auto &self = *static_cast<Launch *>(context);
          double took = seconds([&] {
            self.current.run(self.sizes.data(), self.buffers.data(), task, task + 1,
                             self.scratch.data() + worker * self.stride);
          });
          self.taken[task] = std::min(self.taken[task], took);
        },
        this);
  }
}

} // namespace weft::bench
