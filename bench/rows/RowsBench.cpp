// Kernels of rows, scatters and tables of a real program against the machine's read bandwidth.
//
//   weft show gpt.weft --config gpt2_124m --at kernel -o gpt2.mlir
//   bench-rows [--isa ISA] [--threads N] [--rounds N] [--only LABEL] gpt2.mlir batch=4 seq=64
//
// A kernel's bytes are those of its operands and results, each once; of a table that is looked up,
// the rows that are. Buffers change from call to call, so that nothing is in a cache that would not
// be in a training step.
#include "bench/harness/Measure.h"

#include "ir/cpu/Cpu.h"
#include "ir/model/Dims.h"

#include "mlir/Parser/Parser.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <numeric>
#include <set>

using namespace weft;
using namespace weft::bench;

namespace {

constexpr int64_t coldBytes =
    256 << 20; // more than what a core's caches hold, and its share of the last one

/// Bytes a second that all threads together can read.
double readLimit(WeftPool &pool) {
  static std::vector<uint64_t> memory(coldBytes / 8, 1);
  static uint64_t sums[64];
  constexpr int64_t chunk = 1 << 17;
  std::vector<double> rates;
  for (int round = 0; round < 7; ++round)
    rates.push_back(double(coldBytes) / seconds([&] {
                      pool.run(
                          int64_t(memory.size()) / chunk,
                          [](void *, int64_t task, int worker) {
                            const uint64_t *from = memory.data() + task * chunk;
                            sums[worker % 64] += std::accumulate(from, from + chunk, uint64_t(0));
                          },
                          nullptr);
                    }));
  return median(rates);
}

/// One kernel with as many sets of buffers as it takes to leave the caches.
class Candidate {
public:
  Candidate(kernel::FusedOp op, const test::Sizes &sizes, cpu::Isa isa)
      : op(op), named(sizes), kernel(isa, test::Kernel::alone(op)) {
    for (mlir::Value operand : op.getOperands())
      add(operand, lookedUp(operand));
    for (mlir::Value result : op.getResults())
      add(result, std::nullopt);
    int64_t all = std::accumulate(held.begin(), held.end(), int64_t(0));
    sets.resize(std::clamp<int64_t>(coldBytes / std::max<int64_t>(all, 1), 1, 64));
    for (auto &set : sets)
      for (size_t i = 0; i < held.size(); ++i)
        set.push_back(filled(i));
  }
  Candidate(const Candidate &) = delete;
  ~Candidate() {
    for (auto &set : sets)
      for (void *buffer : set)
        std::free(buffer);
  }

  bool ok() const { return kernel.ok(); }

  void measure(WeftPool &pool, int rounds, double limit) {
    Launch launch(kernel, named, pool);
    uint64_t key[] = {1, 2, 0};
    for (auto &set : sets)
      set.push_back(key);
    std::vector<double> times;
    size_t next = 0;
    for (int round = 0; round < rounds + int(sets.size()); ++round) {
      void *const *buffers = sets[next++ % sets.size()].data();
      double time = seconds([&] { launch(buffers); });
      if (round >= int(sets.size())) // the first touch of every page is no measure
        times.push_back(time);
    }
    for (auto &set : sets)
      set.pop_back();
    double time = median(times);
    fmt::print("{:>40} {:>8} {:>6} tasks {:>9.2f} MB {:>9.1f} us {:>6.1f} GB/s {:>4.0f} %\n",
               name(), kernel::stringifyFamily(op.getFamily()).str(), launch.tasks(),
               double(bytes) / 1e6, time * 1e6, double(bytes) / time / 1e9,
               100 * double(bytes) / time / limit);
    std::fflush(stdout);
  }

  std::string name() const {
    std::string shape;
    for (model::DimAttr dim :
         model::typeOf(mlir::Value(op->getResult(op->getNumResults() - 1))).getDims())
      shape += (shape.empty() ? " " : ",") + dim.str();
    return const_cast<kernel::FusedOp &>(op).getLabel().str() + shape;
  }

private:
  int64_t count(mlir::ArrayRef<model::DimAttr> dims) const {
    int64_t result = 1;
    for (model::DimAttr dim : dims)
      result *= named.at(dim.str());
    return result;
  }

  /// The elements that gathers read, if they alone read this operand.
  std::optional<int64_t> lookedUp(mlir::Value operand) {
    int64_t elements = 0;
    for (auto [argument, each] : llvm::zip(op.getBody().getArguments(), op.getOperands()))
      if (each == operand)
        for (mlir::Operation *user : argument.getUsers()) {
          auto gather = dyn_cast<model::GatherOp>(user);
          if (!gather || gather.getInput() != argument)
            return std::nullopt;
          elements += count(model::typeOf(gather.getResult()).getDims());
        }
    return elements;
  }

  void add(mlir::Value value, std::optional<int64_t> read) {
    model::NamedTensorType type = model::typeOf(value);
    auto layout = cast<kernel::LayoutAttr>(op.getLayoutsAttr()[held.size()]);
    int64_t last = 0, elements = 1; // a view spans more than it has, or less
    for (auto [dim, stride] : llvm::zip(layout.getDims(), layout.getStrides())) {
      int64_t step =
          *stride.evaluate([&](const std::string &name) { return std::optional(named.at(name)); });
      last += (named.at(dim.str()) - 1) * step;
      elements *= step ? named.at(dim.str()) : 1;
    }
    int64_t width = type.isBool() ? 1 : 4;
    held.push_back((last + 1) * width);
    isFloat.push_back(type.isFloat());
    bytes += read.value_or(elements) * width;
  }

  /// What whole numbers must stay below: they may be positions.
  int64_t below() {
    int64_t smallest = 1000;
    op.walk([&](mlir::Operation *inner) {
      if (isa<model::GatherOp, model::ScatterOp>(inner))
        smallest = std::min(smallest, named.at(inner->getAttrOfType<model::DimAttr>("dim").str()));
    });
    return smallest;
  }

  void *filled(size_t buffer) {
    void *memory = std::aligned_alloc(64, (held[buffer] + 127) / 64 * 64);
    uint32_t state = uint32_t(buffer) + 1;
    auto next = [&] { return (state = state * 1664525 + 1013904223) >> 8; };
    if (isFloat[buffer])
      for (int64_t i = 0; i < held[buffer] / 4; ++i)
        static_cast<float *>(memory)[i] = float(next()) / (1 << 24) + 0.1f;
    else if (held[buffer] % 4 == 0)
      for (int64_t i = 0, limit = below(); i < held[buffer] / 4; ++i)
        static_cast<int32_t *>(memory)[i] = int32_t(next() % limit);
    else
      memset(memory, 0, held[buffer]);
    return memory;
  }

  kernel::FusedOp op;
  test::Sizes named;
  test::Kernel kernel;
  std::vector<int64_t> held;
  std::vector<bool> isFloat;
  int64_t bytes = 0;
  std::vector<std::vector<void *>> sets;
};

/// All dimensions, from those that were given as `name=size`.
test::Sizes sizesOf(mlir::ModuleOp module, const std::map<std::string, int64_t> &given) {
  model::Dims dims(module);
  test::Sizes sizes;
  for (model::DimOp dim : dims.declared()) {
    std::string missing;
    auto size =
        dims.size(dim.getSymName())
            .evaluate([&](const std::string &name) -> std::optional<int64_t> {
              auto at = given.find(name);
              return at == given.end() ? (missing = name, std::nullopt) : std::optional(at->second);
            });
    if (!size)
      refuse(fmt::format("{} wants a size: {}=N", dim.getSymName().str(), missing));
    sizes[dim.getSymName().str()] = *size;
  }
  return sizes;
}

} // namespace

int main(int argc, char **argv) {
  Options options = parse(argc, argv, 2, 15, {"only="});
  if (options.arguments.empty())
    refuse("usage: bench-rows [OPTIONS] MODULE.mlir DIM=SIZE...");
  std::map<std::string, int64_t> given;
  for (const std::string &argument : llvm::drop_begin(options.arguments))
    if (size_t equals = argument.find('='); equals != argument.npos)
      given[argument.substr(0, equals)] = std::atoll(argument.c_str() + equals + 1);

  mlir::MLIRContext context;
  context.loadDialect<model::ModelDialect, kernel::KernelDialect, cpu::CpuDialect,
                      mlir::func::FuncDialect>();
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(options.arguments[0], &context);
  if (!module)
    return 1;
  test::Sizes sizes = sizesOf(*module, given);
  auto pool = startPool(options);
  double limit = readLimit(*pool);
  fmt::print("read limit {:.1f} GB/s\n", limit / 1e9);
  std::set<std::string> seen;
  module->walk([&](kernel::FusedOp op) {
    using kernel::Family;
    bool mine = op.getFamily() == Family::rows || op.getFamily() == Family::scatter ||
                op.getFamily() == Family::table;
    if (!mine || op.getNumResults() == 0 ||
        op.getLabel().find(options["only"]) == llvm::StringRef::npos ||
        !seen.insert(test::Kernel::alone(op)).second)
      return;
    Candidate candidate(op, sizes, options.isa);
    if (candidate.ok())
      candidate.measure(*pool, options.rounds, limit);
  });
}
