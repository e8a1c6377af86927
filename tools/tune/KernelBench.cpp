// A kernel on this machine.
#include "tools/tune/KernelBench.h"

#include "ir/kernel/work/Work.h"
#include "runtime/training/Interrupt.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <limits>

namespace weft::tune {

/// What may be off by nothing but rounding, of floats and of what is stored as bfloat16.
constexpr double tolerated = 1e-4, toleratedNarrow = 1e-2;
/// Operations that the interpreter does within some seconds; to read or write an element takes as
/// long as some of them, and eight bytes.
constexpr double affordable = 4e8, anElement = 20;
/// Shorter runs than this, in seconds, are timed several at a time.
constexpr double shortest = 200e-6;

static double stepsOf(kernel::FusedOp op, const trial::Sizes &sizes) {
  kernel::SizesAt at = [&](const Size &size) {
    return *size.evaluate(
        [&](const std::string &name) { return std::optional<int64_t>(sizes.at(name)); });
  };
  auto work = kernel::workOf(op, kernel::DimTable::of(op->getParentOfType<mlir::ModuleOp>()), at);
  return failed(work) ? std::numeric_limits<double>::infinity()
                      : work->flops() + anElement * work->bytes() / double(sizeof(float));
}

KernelBench::KernelBench(const Subject &subject, cpu::Isa isa,
                         std::vector<kernel::ScheduleAttr> all, WeftPool &pool, int64_t bytes)
    : subject(subject), isa(isa), schedules(std::move(all)), pool(pool) {
  for (const trial::Sizes &sizes : subject.points)
    memory.push_back(std::make_unique<trial::PlainMemory>(subject.op, sizes,
                                                          bytes / int64_t(subject.points.size())));
  usual = runsOf(0);
  why = usual.trial->problem();
  if (!why)
    seconds(usual); // touches what is touched first
}

KernelBench::Runs KernelBench::runsOf(size_t number) {
  Runs runs{std::make_unique<trial::KernelTrial>(subject.op, isa, schedules[number]), {}};
  if (!runs.trial->problem())
    for (const trial::Sizes &sizes : subject.points)
      runs.at.push_back(std::make_unique<trial::KernelTrial::Runs>(*runs.trial, sizes, pool));
  return runs;
}

void KernelBench::expect(const trial::Sizes &small) {
  if (!why)
    expectResults(small);
  for (const trial::Sizes &sizes : subject.points)
    if (!why)
      expectResults(sizes);
}

/// What the interpreter gives, if it gets there, and whether the default gives that.
void KernelBench::expectResults(const trial::Sizes &sizes) {
  if (stepsOf(subject.op, sizes) > affordable)
    return;
  auto results = trial::expect(subject.op, sizes);
  if (!results)
    return;
  if (double off = usual.trial->check(*results, pool); !(off <= tolerated)) {
    why = fmt::format("the default is off by {:.1e} from the interpreter", off);
    wrong = true;
    return;
  }
  expected.push_back(std::move(*results));
}

double KernelBench::seconds(Runs &runs) {
  double sum = 0;
  for (size_t point = 0; point < subject.points.size(); ++point) {
    double taken = 0;
    for (int64_t i = 0; i < repeats; ++i)
      taken += runs.at[point]->run(memory[point]->set(size_t(round++)));
    sum += taken / double(repeats) * subject.launches[point];
  }
  return sum;
}

double KernelBench::usualSeconds(int64_t rounds) {
  std::vector<double> all;
  for (int64_t i = 0; i < rounds; ++i)
    all.push_back(seconds(usual));
  double result = median(all), one = result / std::max(subject.allLaunches(), 1.0);
  repeats = std::clamp<int64_t>(int64_t(shortest / std::max(one, 1e-9)), 1, 16);
  return result;
}

double KernelBench::now() {
  std::chrono::duration<double> time = std::chrono::steady_clock::now().time_since_epoch();
  return time.count();
}

bool KernelBench::interrupted() {
  return runtime::Interrupt::received() != 0;
}

/// The largest difference of `got` from `want`, relative to an element and the largest of all.
static double difference(const std::vector<std::vector<float>> &got,
                         const std::vector<std::vector<float>> &want) {
  double off = 0;
  for (size_t i = 0; i < want.size(); ++i) {
    double largest = 0;
    for (float each : want[i])
      if (std::isfinite(each))
        largest = std::max(largest, std::abs(double(each)));
    for (size_t at = 0; at < want[i].size(); ++at) {
      double a = double(got[i][at]), b = double(want[i][at]);
      if (std::isfinite(a) && std::isfinite(b))
        off = std::max(off, a == b ? 0 : std::abs(a - b) / (std::abs(b) + largest));
      else if (std::isnan(a) != std::isnan(b) || (!std::isnan(a) && a != b))
        return std::numeric_limits<double>::infinity();
    }
  }
  return off;
}

Bench::Ready KernelBench::prepare(size_t number) {
  candidate = runsOf(number);
  if (candidate.trial->problem())
    return {.refused = true, .why = *candidate.trial->problem()};
  for (const trial::Expected &each : expected)
    if (double off = candidate.trial->check(each, pool); !(off <= tolerated))
      return {.wrong = true, .why = fmt::format("it is off by {:.1e} from the interpreter", off)};
  kernel::FusedOp op = subject.op;
  bool narrow = llvm::any_of(op.getLayoutsAttr(), kernel::storageIn);
  for (size_t point = 0; point < subject.points.size(); ++point) {
    auto resultsOf = [&](Runs &runs) {
      memory[point]->spoilResults(0);
      runs.at[point]->run(memory[point]->set(0));
      return memory[point]->floats(0);
    };
    auto want = resultsOf(usual), got = resultsOf(candidate);
    if (double off = difference(got, want); !(off <= (narrow ? toleratedNarrow : tolerated)))
      return {.wrong = true,
              .why = fmt::format("it is off by {:.1e} from what the default gives", off)};
  }
  return {};
}

Bench::Pair KernelBench::pair() {
  bool first = ++pairs % 2 == 0; // who comes second finds the caches as the other left them
  Pair pair{};
  if (first)
    pair.usual = seconds(usual);
  pair.candidate = seconds(candidate);
  if (!first)
    pair.usual = seconds(usual);
  return pair;
}

} // namespace weft::tune
