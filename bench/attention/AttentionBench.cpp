// Attention and its gradient against the machine's multiply-add limit.
//
//   bench-attention [--isa ISA] [--threads N] [--rounds N] [--precision float32|bf16] [B,S,T,H,D[c]
//   …]
//
// B texts, S queries, T keys, H heads of D; c: causal, the queries being the last of the keys. In
// bf16 queries, keys and values are stored so, and weights are read so.
#include "bench/harness/Measure.h"
#include "tests/unit/codegen/AttentionCase.h"

#include <algorithm>
#include <fmt/format.h>

using namespace weft;
using namespace weft::bench;

namespace {

struct Shape {
  int64_t b = 0, s = 0, t = 0, h = 0, d = 0;
  bool causal = false;
};

test::AttentionCase describe(const Shape &shape, bool narrow) {
  test::AttentionCase attention{
      .dims = {"b", "s", "t", "known", fmt::format("h={}", shape.h), fmt::format("d={}", shape.d)},
      .q = {"b", "s", "h", "d"},
      .k = {"b", "t", "h", "d"},
      .v = {"b", "t", "h", "d"}};
  if (narrow)
    attention = test::narrowWeights(test::narrow(attention));
  return shape.causal ? test::causalAfter("known", attention) : attention;
}

void measure(const Shape &shape, const Options &options, WeftPool &pool) {
  auto sideOf = [&](int64_t count) { return randomSide(options, count); };
  test::AttentionCase attention = describe(shape, isNarrow(options));
  test::Kernel forward(options.isa, attention.forwardKernel()),
      backward(options.isa, attention.gradientKernel());
  if (!forward.ok() || !backward.ok())
    std::exit(1);
  test::Sizes sizes{{"b", shape.b}, {"s", shape.s}, {"t", shape.t}, {"known", shape.t - shape.s}};
  int64_t ofQueries = shape.b * shape.s * shape.h * shape.d,
          ofKeys = shape.b * shape.t * shape.h * shape.d, ofRows = shape.b * shape.s * shape.h;
  runtime::Block q = sideOf(ofQueries), k = sideOf(ofKeys), v = sideOf(ofKeys),
                 o = floats(ofQueries), l = floats(ofRows), g = sideOf(ofQueries),
                 dq = floats(ofQueries), dk = floats(ofKeys), dv = floats(ofKeys);
  struct Direction {
    const char *name;
    double products; // of matrices
    Launch launch;
    std::vector<void *> buffers;
    double best = 1e9;
  } directions[] = {{"forward",
                     2,
                     Launch(forward, sizes, pool),
                     {q.data(), k.data(), v.data(), o.data(), l.data()}},
                    {"backward",
                     5,
                     Launch(backward, sizes, pool),
                     {q.data(), k.data(), v.data(), o.data(), l.data(), g.data(), dq.data(),
                      dk.data(), dv.data()}}};

  // What a mask removes is not work.
  double pairs = double(shape.s) * double(shape.t);
  if (shape.causal)
    pairs -= double(shape.s) * double(shape.s - 1) / 2;
  double product = 2.0 * pairs * double(shape.b * shape.h * shape.d);
  auto repeat = std::max<int64_t>(1, int64_t(5e8 / product));
  double limit = 0;
  for (int round = 0; round < options.rounds; ++round) {
    limit = std::max(limit, limitOf(options, pool));
    for (Direction &direction : directions)
      direction.best = std::min(direction.best, seconds([&] {
                                                  for (int64_t i = 0; i < repeat; ++i)
                                                    direction.launch(direction.buffers.data());
                                                }) / double(repeat));
  }
  for (const Direction &direction : directions) {
    double rate = direction.products * product / direction.best;
    fmt::print(
        "{:>22} {:9} {:10.1f} us {:8.1f} GFLOP/s {:5.1f} % of {:.0f}, undisturbed {:5.1f} %\n",
        fmt::format("{},{},{},{},{}{}", shape.b, shape.s, shape.t, shape.h, shape.d,
                    shape.causal ? "c" : ""),
        direction.name, direction.best * 1e6, rate / 1e9, 100 * rate / limit, limit / 1e9,
        100 * direction.products * product / direction.launch.undisturbed() / limit);
  }
  std::fflush(stdout);
}

Shape parseShape(const std::string &text) {
  Shape shape;
  char mark = 0;
  int read = std::sscanf(text.c_str(), "%ld,%ld,%ld,%ld,%ld%c", &shape.b, &shape.s, &shape.t,
                         &shape.h, &shape.d, &mark);
  if (read < 5 || (read == 6 && mark != 'c') ||
      std::min({shape.b, shape.s, shape.t, shape.h, shape.d}) < 1 || shape.s > shape.t)
    refuse("not a shape: " + text);
  shape.causal = mark == 'c';
  return shape;
}

} // namespace

int main(int argc, char **argv) {
  Options options = parse(argc, argv, 1, 7, {"precision="});
  std::vector<Shape> shapes;
  for (const std::string &argument : options.arguments)
    shapes.push_back(parseShape(argument));
  if (shapes.empty())
    shapes = {{4, 64, 64, 12, 64, true}, {8, 128, 128, 12, 64, true},
              {8, 128, 128, 12, 64},     {1, 1024, 1024, 12, 64, true},
              {1, 1024, 1024, 12, 64},   {1, 1, 1024, 12, 64, true}};
  auto pool = startPool(options);
  for (const Shape &shape : shapes)
    measure(shape, options, *pool);
}
