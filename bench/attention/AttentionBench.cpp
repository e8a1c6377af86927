// Attention and its gradient against the machine's multiply-add limit.
//
//   bench-attention [--isa v3|avx512] [--threads N] [--rounds N] [B,S,T,H,D[c] …]
//
// B texts, S queries, T keys, H heads of D; c: causal, the queries being the last of the keys.
#include "AttentionCase.h"
#include "bench/gemm/Peak.h"

#include "runtime/threads/Denormals.h"
#include "runtime/threads/Pool.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <getopt.h>

using namespace weft;

namespace {

struct Options {
  cpu::Isa isa = cpu::Isa::avx512;
  int threads = 1, rounds = 7;
};

struct Shape {
  int64_t b = 0, s = 0, t = 0, h = 0, d = 0;
  bool causal = false;
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

/// A kernel with buffers of its own, ready to be launched again and again.
class Launch {
public:
  Launch(test::Kernel &kernel, const test::Sizes &sizes, std::vector<void *> buffers,
         WeftPool &pool)
      : run(kernel.code()), sizes(kernel.numbered(sizes)), buffers(std::move(buffers)), pool(pool),
        tasks(kernel.tasks(sizes)), stride((kernel.scratchBytes(sizes) + 4095) / 4096 * 4096),
        scratch(stride * pool.threads() + 4096) {}

  void operator()() {
    pool.run(
        tasks,
        [](void *context, int64_t task, int worker) {
          auto &launch = *static_cast<Launch *>(context);
          auto base = (reinterpret_cast<uintptr_t>(launch.scratch.data()) + 63) / 64 * 64;
          launch.run(launch.sizes.data(), launch.buffers.data(), task, task + 1,
                     reinterpret_cast<char *>(base) + worker * launch.stride);
        },
        this);
  }

private:
  test::Kernel::Run *run;
  std::vector<int64_t> sizes;
  std::vector<void *> buffers;
  WeftPool &pool;
  int64_t tasks, stride;
  std::vector<char> scratch;
};

test::AttentionCase describe(const Shape &shape) {
  test::AttentionCase attention{
      .dims = {"b", "s", "t", "known", fmt::format("h={}", shape.h), fmt::format("d={}", shape.d)},
      .q = {"b", "s", "h", "d"},
      .k = {"b", "t", "h", "d"},
      .v = {"b", "t", "h", "d"}};
  if (!shape.causal)
    return attention;
  attention.mask = R"(%i = model.index "t"
%j = model.index "s"
%n = model.extent <known>
%p = model.add %j, %n : !model.tensor<i64, s>, !model.tensor<i64>
%mask = model.compare le %i, %p : !model.tensor<i64, t>, !model.tensor<i64, s>)";
  attention.maskDims = {"t", "s"};
  return attention;
}

void measure(const Shape &shape, const Options &options, WeftPool &pool) {
  test::AttentionCase attention = describe(shape);
  test::Kernel forward(options.isa, attention.forwardKernel()),
      backward(options.isa, attention.gradientKernel());
  if (!forward.ok() || !backward.ok())
    std::exit(1);
  test::Sizes sizes{{"b", shape.b}, {"s", shape.s}, {"t", shape.t}, {"known", shape.t - shape.s}};
  int64_t ofQueries = shape.b * shape.s * shape.h * shape.d,
          ofKeys = shape.b * shape.t * shape.h * shape.d, ofRows = shape.b * shape.s * shape.h;
  std::vector<float> q = random(ofQueries), k = random(ofKeys), v = random(ofKeys), o(ofQueries),
                     l(ofRows), g = random(ofQueries), dq(ofQueries), dk(ofKeys), dv(ofKeys);
  Launch forwards(forward, sizes, {q.data(), k.data(), v.data(), o.data(), l.data()}, pool);
  Launch backwards(
      backward, sizes,
      {q.data(), k.data(), v.data(), o.data(), l.data(), g.data(), dq.data(), dk.data(), dv.data()},
      pool);

  // What a mask removes is not work.
  double pairs = double(shape.s) * double(shape.t);
  if (shape.causal)
    pairs -= double(shape.s) * double(shape.s - 1) / 2;
  double product = 2.0 * pairs * double(shape.b * shape.h * shape.d);
  auto repeat = std::max<int64_t>(1, int64_t(5e8 / product));
  double best[2] = {1e9, 1e9}, peak = 1e9;
  constexpr int64_t peakCount = 2'000'000;
  for (int round = 0; round < options.rounds; ++round) {
    struct PeakJob {
      cpu::Isa isa;
    } job{options.isa};
    peak = std::min(peak, seconds([&] {
                      pool.run(
                          pool.threads(),
                          [](void *job, int64_t, int) {
                            bench::runPeak(static_cast<PeakJob *>(job)->isa, peakCount);
                          },
                          &job);
                    }));
    for (Launch *launch : {&forwards, &backwards})
      best[launch == &backwards] =
          std::min(best[launch == &backwards], seconds([&] {
                                                 for (int64_t i = 0; i < repeat; ++i)
                                                   (*launch)();
                                               }) / double(repeat));
  }
  double limit = bench::peakWork(options.isa, peakCount) * pool.threads() / peak;
  auto report = [&](const char *what, double products, double time) {
    double rate = products * product / time;
    fmt::print("{:>22} {:9} {:10.1f} us {:8.1f} GFLOP/s {:5.1f} % of {:.0f}\n",
               fmt::format("{},{},{},{},{}{}", shape.b, shape.s, shape.t, shape.h, shape.d,
                           shape.causal ? "c" : ""),
               what, time * 1e6, rate / 1e9, 100 * rate / limit, limit / 1e9);
  };
  report("forward", 2, best[0]);
  report("backward", 5, best[1]);
  std::fflush(stdout);
}

Shape parseShape(const char *text) {
  Shape shape;
  char mark = 0;
  int read = std::sscanf(text, "%ld,%ld,%ld,%ld,%ld%c", &shape.b, &shape.s, &shape.t, &shape.h,
                         &shape.d, &mark);
  if (read < 5 || (read == 6 && mark != 'c') ||
      std::min({shape.b, shape.s, shape.t, shape.h, shape.d}) < 1 || shape.s > shape.t) {
    fmt::print(stderr, "bench-attention: not a shape: {}\n", text);
    std::exit(2);
  }
  shape.causal = mark == 'c';
  return shape;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  const option longOptions[] = {{"isa", required_argument, nullptr, 'i'},
                                {"threads", required_argument, nullptr, 't'},
                                {"rounds", required_argument, nullptr, 'r'},
                                {}};
  for (int c; (c = getopt_long(argc, argv, "", longOptions, nullptr)) != -1;) {
    if (c == 'i')
      options.isa = std::string(optarg) == "v3" ? cpu::Isa::x86_64_v3 : cpu::Isa::avx512;
    else if (c == 't')
      options.threads = std::atoi(optarg);
    else if (c == 'r')
      options.rounds = std::atoi(optarg);
    else
      return 2;
  }
  std::vector<Shape> shapes;
  for (int i = optind; i < argc; ++i)
    shapes.push_back(parseShape(argv[i]));
  if (shapes.empty())
    shapes = {{4, 64, 64, 12, 64, true}, {8, 128, 128, 12, 64, true},
              {8, 128, 128, 12, 64},     {1, 1024, 1024, 12, 64, true},
              {1, 1024, 1024, 12, 64},   {1, 1, 1024, 12, 64, true}};
  runtime::ignoreDenormals();
  auto pool = WeftPool::start(options.threads, true);
  fmt::print("{}, {} threads\n", options.isa == cpu::Isa::avx512 ? "avx512" : "x86-64-v3",
             pool->threads());
  for (const Shape &shape : shapes)
    measure(shape, options, *pool);
}
