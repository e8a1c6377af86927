// What every bench of kernels does: reads its options, runs a kernel on the pool, takes the time.
#ifndef WEFT_BENCH_HARNESS_MEASURE_H
#define WEFT_BENCH_HARNESS_MEASURE_H

#include "tests/unit/codegen/KernelHarness.h"

#include "runtime/base/Block.h"
#include "runtime/machine/Pool.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace weft::bench {

struct Options {
  cpu::Isa isa;
  int threads, rounds;
  std::map<std::string, std::string> own; ///< options of this bench alone, by name; a flag is ""
  std::vector<std::string> arguments;     ///< shapes, files, sizes

  /// The value of an own option, or "".
  std::string operator[](const std::string &name) const;
};

/// Reads `--isa ISA` (of x86-64-v3 and avx512 the widest that the machine runs), `--threads N`,
/// `--rounds N`, and what `own` names: `only=` takes a value, `llvm` is a flag. What is not
/// understood ends the process with 2.
Options parse(int argc, char **argv, int threads, int rounds, std::vector<std::string> own = {});

/// Threads on cores of their own, as a program starts them; says which and for which kernels.
std::unique_ptr<WeftPool> startPool(const Options &options);

/// Ends the process as for any argument that is no use.
[[noreturn]] void refuse(const std::string &why);

double seconds(const std::function<void()> &work);
double median(std::vector<double> values);

/// Memory as programs have it: what lies across lines and small pages takes longer. Zeros; ends the
/// process where there is none.
runtime::Block memory(int64_t bytes);
runtime::Block floats(int64_t count);
/// From -1 to 1, the same in every run.
runtime::Block randomFloats(int64_t count);

/// Of a bench that has `--precision float32|bf16`: whether what is multiplied is stored as bf16.
/// Ends the process for another one.
bool isNarrow(const Options &options);
/// Random numbers that are stored so.
runtime::Block randomSide(const Options &options, int64_t count);
/// Operations a second that the pool's threads do at most: multiply-adds of float32, or, in bf16,
/// whatever the set has for products of those. Measured anew by each call, some milliseconds.
double limitOf(const Options &options, WeftPool &pool);

/// A kernel at some sizes, to be run on the pool again and again.
class Launch {
public:
  Launch(test::Kernel &kernel, const test::Sizes &sizes, WeftPool &pool);
  /// `buffers` are the kernel's operands, then its results.
  void operator()(void *const *buffers);
  int64_t tasks() const { return count; }
  /// Seconds of a run that nobody disturbs: of each task the least that it has taken, added up, and
  /// shared by the threads. On a machine that others use it is steady where whole runs are not.
  double undisturbed() const;

private:
  std::vector<test::Kernel::Launch> launches;
  size_t values; // operands and results
  std::vector<int64_t> sizes;
  WeftPool &pool;
  int64_t count, stride; // bytes from one worker's scratch to the next
  runtime::Block scratch, shared;
  std::vector<std::vector<double>> least; // by launch and task, in seconds
  std::vector<void *> buffers;
  test::Kernel::Launch current{};
  double *taken = nullptr; // the least times of the current launch
};

} // namespace weft::bench

#endif // WEFT_BENCH_HARNESS_MEASURE_H
