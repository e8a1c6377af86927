// Contractions against the machine's multiply-add limit, and against OpenBLAS where it is
// installed; interleaved.
//
//   bench-gemm [--isa ISA] [--threads N] [--rounds N] [--precision float32|bf16]
//              [--schedule "#cpu.contraction<tile = 8x48, …>"] [--llvm] [M,N,K[t] …]
//
// In bf16 all sides are stored so, and the limit is that of dot products, where the set has them.
//
// Several schedules, with `;` between them, are timed in turn, and a line each; `;` alone in front
// is the usual one.
// t: the left side lies transposed, as in the gradient of a weight. --llvm prints the kernel
// instead.
#include "bench/harness/Measure.h"

#include <algorithm>
#include <dlfcn.h>
#include <fmt/format.h>
#include <list>
#include <ranges>

using namespace weft;
using namespace weft::bench;

namespace {

struct Shape {
  int64_t m = 0, n = 0, k = 0;
  bool transposed = false;
};

std::string kernelText(bool transposed, bool narrow, cpu::Isa isa, const std::string &schedule) {
  const char *storage = narrow ? ", storage = bf16" : "";
  return fmt::format(R"(
model.dim @m
model.dim @n
model.dim @k
func.func @f(%x: !model.tensor<f32, m, k>, %w: !model.tensor<f32, k, n>) {{
  %r = kernel.fused contraction "bench" (%a = %x : !model.tensor<f32, m, k>, %b = %w : !model.tensor<f32, k, n>)
      -> (!model.tensor<f32, m, n>) attributes {{
        layouts = [#kernel.layout<{}{}>, #kernel.panels<batch = [], rows = [k], columns = [n], width = 16{}>,
                   #kernel.layout<m: "n", n: "1"{}>]{} }} {{
    %c = model.contract ["k"] %a, %b : !model.tensor<f32, m, k>, !model.tensor<f32, k, n>
    kernel.yield %c : !model.tensor<f32, m, n>
  }}
  return
}})",
                     transposed ? R"(m: "1", k: "m")" : R"(m: "k", k: "1")", storage, storage,
                     storage,
                     schedule.empty() ? ""
                                      : fmt::format(", schedule = {{\"{}\" = {}}}",
                                                    cpu::isaName(isa).str(), schedule));
}

using Sgemm = void(int, int, int, int, int, int, float, const float *, int, const float *, int,
                   float, float *, int);

/// A schedule, or the usual one, with a kernel for either way of its left side.
struct Candidate {
  Candidate(const Options &options, const std::string &schedule)
      : rows(options.isa, kernelText(false, isNarrow(options), options.isa, schedule)),
        columns(options.isa, kernelText(true, isNarrow(options), options.isa, schedule)) {}
  test::Kernel rows, columns;
};

double best(const std::vector<double> &rates) {
  return std::ranges::max(rates);
}

void print(const Shape &shape, const Launch &launch, double work, const std::vector<double> &ours,
           double limit) {
  // Others use the machine too: the best round is the least disturbed one.
  fmt::print("{:>22} {:>5} tasks {:8.1f} GFLOP/s (worst {:.0f})  {:5.1f} % of {:.0f}, undisturbed "
             "{:5.1f} %",
             fmt::format("{},{},{}{}", shape.m, shape.n, shape.k, shape.transposed ? "t" : ""),
             launch.tasks(), best(ours) / 1e9, std::ranges::min(ours) / 1e9,
             100 * best(ours) / limit, limit / 1e9, 100 * work / launch.undisturbed() / limit);
}

void measure(const Shape &shape, std::list<Candidate> &candidates, WeftPool &pool,
             const Options &options, Sgemm *peer) {
  const int64_t panelRows = shape.k + shape.k % 2; // of pairs
  runtime::Block left = randomSide(options, shape.m * shape.k),
                 right = randomSide(options, (shape.n + 15) / 16 * 16 * panelRows),
                 result = floats(shape.m * shape.n);
  void *buffers[] = {left.data(), right.data(), result.data()};
  struct Measured {
    Launch launch;
    std::vector<double> rates;
  };
  std::list<Measured> ours;
  for (Candidate &candidate : candidates)
    ours.emplace_back(Launch(shape.transposed ? candidate.columns : candidate.rows,
                             {{"m", shape.m}, {"n", shape.n}, {"k", shape.k}}, pool),
                      std::vector<double>());

  double work = 2.0 * double(shape.m) * double(shape.n) * double(shape.k);
  auto repeat = std::max<int64_t>(1, int64_t(2e9 / work)); // tens of milliseconds a sample
  auto rateOf = [&](const std::function<void()> &product) {
    double took = seconds([&] {
      for (int64_t i = 0; i < repeat; ++i)
        product();
    });
    return work * double(repeat) / took;
  };
  std::vector<double> peaks, theirs;
  for (int round = 0; round < options.rounds + 1; ++round) {
    double peak = limitOf(options, pool);
    for (Measured &each : ours)
      if (double rate = rateOf([&] { each.launch(buffers); }); round > 0) // 0 warms up
        each.rates.push_back(rate);
    if (round == 0)
      continue;
    peaks.push_back(peak);
    if (peer)
      theirs.push_back(rateOf([&] { // row-major; the left side as it lies
        peer(101, shape.transposed ? 112 : 111, 111, int(shape.m), int(shape.n), int(shape.k), 1,
             reinterpret_cast<float *>(left.data()), int(shape.transposed ? shape.m : shape.k),
             reinterpret_cast<float *>(right.data()), int(shape.n), 0,
             reinterpret_cast<float *>(result.data()), int(shape.n));
      }));
  }
  for (const Measured &each : ours) {
    print(shape, each.launch, work, each.rates, best(peaks));
    if (peer)
      fmt::print("  {:.2f} x OpenBLAS", best(each.rates) / best(theirs));
    fmt::print("\n");
  }
  std::fflush(stdout);
}

Shape parseShape(const std::string &text) {
  Shape shape;
  char mark = 0;
  int read = std::sscanf(text.c_str(), "%ld,%ld,%ld%c", &shape.m, &shape.n, &shape.k, &mark);
  if (read < 3 || (read == 4 && mark != 't') || std::min({shape.m, shape.n, shape.k}) < 1)
    refuse("not a shape: " + text);
  shape.transposed = mark == 't';
  return shape;
}

} // namespace

int main(int argc, char **argv) {
  Options options = parse(argc, argv, 1, 7, {"schedule=", "precision=", "llvm"});
  std::vector<Shape> shapes;
  for (const std::string &argument : options.arguments)
    shapes.push_back(parseShape(argument));
  if (shapes.empty())
    shapes = {{1500, 1536, 512},       {512, 2048, 512}, {1024, 768, 768},   {1024, 3072, 768},
              {1024, 768, 3072},       {128, 768, 768},  {2048, 2048, 2048}, {768, 768, 1024, true},
              {768, 3072, 1024, true}, {7, 768, 768},    {50, 768, 768},     {1, 768, 768},
              {1, 50257, 768}};

  std::list<Candidate> candidates;
  for (auto schedule : std::views::split(options["schedule"], ';')) {
    candidates.emplace_back(options, std::string(schedule.begin(), schedule.end()));
    if (!candidates.back().rows.ok() || !candidates.back().columns.ok())
      return 1;
  }
  if (candidates.empty())
    candidates.emplace_back(options, "");
  if (options.own.contains("llvm")) {
    fmt::print("{}", candidates.front().rows.llvm());
    return 0;
  }
  void *library = dlopen("libopenblas.so.0", RTLD_NOW);
  auto *peer = library && !isNarrow(options)
                   ? reinterpret_cast<Sgemm *>(dlsym(library, "cblas_sgemm"))
                   : nullptr;
  auto pool = startPool(options);
  for (const Shape &shape : shapes)
    measure(shape, candidates, *pool, options, peer);
}
