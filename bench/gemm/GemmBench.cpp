// Contractions against the machine's multiply-add limit, and against OpenBLAS where it is
// installed; interleaved.
//
//   bench-gemm [--isa v3|avx512] [--threads N] [--rounds N] [--schedule "rows = 96, columns = 192,
//   k = 512"]
//              [M,N,K[t] …]                           t: the left side lies transposed, as in the
//              gradient of a weight
#include "KernelHarness.h"
#include "Peak.h"

#include "runtime/threads/Denormals.h"
#include "runtime/threads/Pool.h"

#include <algorithm>
#include <chrono>
#include <dlfcn.h>
#include <fmt/format.h>
#include <getopt.h>

using namespace weft;

namespace {

struct Options {
  cpu::Isa isa = cpu::Isa::avx512;
  int threads = 1, rounds = 7;
  std::string schedule;
  bool text = false;
};

struct Shape {
  int64_t m = 0, n = 0, k = 0;
  bool transposed = false;
};

double seconds(const std::function<void()> &work) {
  auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::vector<float> random(int64_t count) {
  std::vector<float> values(count);
  uint32_t state = 1;
  for (float &value : values)
    value = float((state = state * 1664525 + 1013904223) >> 8) / (1 << 23) - 1;
  return values;
}

/// One thread's part of a launch.
struct Launch {
  test::Kernel::Run *run;
  const int64_t *sizes;
  void *const *buffers;
  char *scratch;
  int64_t stride;
};

void runOnPool(WeftPool &pool, int64_t tasks, Launch &launch) {
  pool.run(
      tasks,
      [](void *context, int64_t task, int worker) {
        auto &launch = *static_cast<Launch *>(context);
        launch.run(launch.sizes, launch.buffers, task, task + 1,
                   launch.scratch + worker * launch.stride);
      },
      &launch);
}

std::string kernelText(bool transposed, const std::string &schedule) {
  return fmt::format(R"(
model.dim @m
model.dim @n
model.dim @k
func.func @f(%x: !model.tensor<f32, m, k>, %w: !model.tensor<f32, k, n>) {{
  %r = kernel.fused contraction "bench" (%a = %x : !model.tensor<f32, m, k>, %b = %w : !model.tensor<f32, k, n>)
      -> (!model.tensor<f32, m, n>) attributes {{
        layouts = [#kernel.layout<{}>, #kernel.panels<batch = [], rows = [k], columns = [n], width = 16>,
                   #kernel.layout<m: "n", n: "1">]{} }} {{
    %c = model.contract ["k"] %a, %b : !model.tensor<f32, m, k>, !model.tensor<f32, k, n>
    kernel.yield %c : !model.tensor<f32, m, n>
  }}
  return
}})",
                     transposed ? R"(m: "1", k: "m")" : R"(m: "k", k: "1")",
                     schedule.empty() ? "" : ", schedule = {" + schedule + "}");
}

using Sgemm = void(int, int, int, int, int, int, float, const float *, int, const float *, int,
                   float, float *, int);

void measure(const Shape &shape, test::Kernel &kernel, WeftPool &pool, const Options &options,
             Sgemm *peer) {
  test::Sizes named{{"m", shape.m}, {"n", shape.n}, {"k", shape.k}};
  std::vector<int64_t> sizes = kernel.numbered(named);
  std::vector<float> left = random(shape.m * shape.k),
                     right = random((shape.n + 15) / 16 * 16 * shape.k);
  std::vector<float> result(shape.m * shape.n);
  void *buffers[] = {left.data(), right.data(), result.data()};
  int64_t tasks = kernel.tasks(named), stride = (kernel.scratchBytes(named) + 4095) / 4096 * 4096;
  auto *scratch = static_cast<char *>(std::aligned_alloc(4096, stride * pool.threads() + 4096));
  Launch launch{kernel.code(), sizes.data(), buffers, scratch, stride};

  double work = 2.0 * double(shape.m) * double(shape.n) * double(shape.k);
  auto rounds = std::max<int64_t>(1, int64_t(2e9 / work)); // tens of milliseconds a sample
  constexpr int64_t peakCount = 2'000'000;
  int64_t peakStep = peakCount;
  struct PeakJob {
    cpu::Isa isa;
    int64_t count;
  } peakJob{options.isa, peakStep};
  std::vector<double> ours, peaks, theirs;
  for (int round = 0; round < options.rounds + 1; ++round) {
    double peak = seconds([&] {
      pool.run(
          pool.threads(),
          [](void *job, int64_t, int) {
            bench::runPeak(static_cast<PeakJob *>(job)->isa, static_cast<PeakJob *>(job)->count);
          },
          &peakJob);
    });
    double own = seconds([&] {
      for (int64_t i = 0; i < rounds; ++i)
        runOnPool(pool, tasks, launch);
    });
    if (round == 0)
      continue; // warm-up
    peaks.push_back(bench::peakWork(options.isa, peakCount) * pool.threads() / peak);
    ours.push_back(work * double(rounds) / own);
    if (peer) {
      double other = seconds([&] {
        for (int64_t i = 0; i < rounds; ++i) // row-major; the left side as it lies
          peer(101, shape.transposed ? 112 : 111, 111, int(shape.m), int(shape.n), int(shape.k), 1,
               left.data(), int(shape.transposed ? shape.m : shape.k), right.data(), int(shape.n),
               0, result.data(), int(shape.n));
      });
      theirs.push_back(work * double(rounds) / other);
    }
  }
  std::free(scratch);
  // Others use the machine too: the best round is the least disturbed one.
  auto [low, high] = std::ranges::minmax(ours);
  double limit = std::ranges::max(peaks);
  fmt::print("{:>22} {:>5} tasks {:8.1f} GFLOP/s (worst {:.0f})  {:5.1f} % of {:.0f}",
             fmt::format("{},{},{}{}", shape.m, shape.n, shape.k, shape.transposed ? "t" : ""),
             tasks, high / 1e9, low / 1e9, 100 * high / limit, limit / 1e9);
  if (peer)
    fmt::print("  {:.2f} x OpenBLAS", high / std::ranges::max(theirs));
  fmt::print("\n");
  std::fflush(stdout);
}

Shape parseShape(const char *text) {
  Shape shape;
  char mark = 0;
  int read = std::sscanf(text, "%ld,%ld,%ld%c", &shape.m, &shape.n, &shape.k, &mark);
  if (read < 3 || (read == 4 && mark != 't') || std::min({shape.m, shape.n, shape.k}) < 1) {
    fmt::print(stderr, "bench-gemm: not a shape: {}\n", text);
    std::exit(2);
  }
  shape.transposed = mark == 't';
  return shape;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  const option longOptions[] = {
      {"isa", required_argument, nullptr, 'i'},    {"threads", required_argument, nullptr, 't'},
      {"rounds", required_argument, nullptr, 'r'}, {"schedule", required_argument, nullptr, 's'},
      {"llvm", no_argument, nullptr, 'l'},         {}};
  for (int c; (c = getopt_long(argc, argv, "", longOptions, nullptr)) != -1;) {
    if (c == 'i')
      options.isa = std::string(optarg) == "v3" ? cpu::Isa::x86_64_v3 : cpu::Isa::avx512;
    else if (c == 't')
      options.threads = std::atoi(optarg);
    else if (c == 'r')
      options.rounds = std::atoi(optarg);
    else if (c == 's')
      options.schedule = optarg;
    else if (c == 'l')
      options.text = true;
    else
      return 2;
  }
  std::vector<Shape> shapes;
  for (int i = optind; i < argc; ++i)
    shapes.push_back(parseShape(argv[i]));
  if (shapes.empty())
    shapes = {{1500, 1536, 512},       {512, 2048, 512}, {1024, 768, 768},   {1024, 3072, 768},
              {1024, 768, 3072},       {128, 768, 768},  {2048, 2048, 2048}, {768, 768, 1024, true},
              {768, 3072, 1024, true}, {7, 768, 768},    {50, 768, 768},     {1, 768, 768},
              {1, 50257, 768}};

  runtime::ignoreDenormals();
  auto pool = WeftPool::start(options.threads, true);
  void *library = dlopen("libopenblas.so.0", RTLD_NOW);
  auto *peer = library ? reinterpret_cast<Sgemm *>(dlsym(library, "cblas_sgemm")) : nullptr;
  test::Kernel rows(options.isa, kernelText(false, options.schedule)),
      columns(options.isa, kernelText(true, options.schedule));
  if (!rows.ok() || !columns.ok())
    return 1;
  if (options.text) {
    fmt::print("{}", rows.llvm());
    return 0;
  }
  fmt::print("{}, {} threads\n", options.isa == cpu::Isa::avx512 ? "avx512" : "x86-64-v3",
             pool->threads());
  for (const Shape &shape : shapes)
    measure(shape, shape.transposed ? columns : rows, *pool, options, peer);
}
