// Attention against the library's definition written out, its gradient against central differences.
#include "Interpreted.h"

#include <gtest/gtest.h>

#include <random>

using namespace weft::test;

namespace {

/// Grouped queries: q has (group, rep), keys and values have group; depth is called d in all three.
const std::string dims = "batch s t group rep d e";
const std::string q = "<f32, batch, s, group, rep, d>", k = "<f32, batch, t, group, d>",
                  v = "<f32, batch, t, group, e>", m = "<i1, batch, s, t>";
std::string tensor(const std::string &type) {
  return "!model.tensor" + type;
}
const std::string arguments = "%q: " + tensor(q) + ", %k: " + tensor(k) + ", %v: " + tensor(v) +
                              ", %m: " + tensor(m) +
                              ", %g: " + tensor("<f32, batch, s, group, rep, e>");

Array noise(std::vector<int64_t> shape, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> normal;
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  Floats data(count);
  for (double &x : data)
    x = normal(engine);
  return floats(shape, data);
}

/// One row of the mask keeps nothing.
const std::vector<Array> inputs = {
    noise({2, 3, 2, 2, 3}, 1), noise({2, 4, 2, 3}, 2), noise({2, 4, 2, 2}, 3),
    switches({2, 3, 4}, {1, 0, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0}),
    noise({2, 3, 2, 2, 2}, 4)};

const std::string attention =
    "%o, %l = model.attention \"t\" [\"d\"] %q, %k, %v mask %m scale 0.5 : " + q + ", " + k + ", " +
    v + ", " + tensor(m) + "\n";
/// masked_softmax of the library, then the weighted sum.
const std::string writtenOut =
    "%p = model.mul %q, %k : " + q + ", " + k +
    "\n"
    "%c = model.sum [\"d\"] %p : <f32, batch, s, group, rep, d, t>\n"
    "%half = model.constant 0.5\n%zero = model.constant 0.0\n%one = model.constant 1.0\n"
    "%inf = model.constant 0xFFF0000000000000 : f64\n"
    "%x = model.mul %c, %half : <f32, batch, s, group, rep, t>, <f32>\n"
    "%kept = model.where %m, %x, %inf : " +
    m +
    ", <f32, batch, s, group, rep, t>, <f32>\n"
    "%top = model.reduce_max [\"t\"] %kept : <f32, batch, s, group, rep, t>\n"
    "%sub = model.sub %x, %top : <f32, batch, s, group, rep, t>, <f32, batch, s, group, rep>\n"
    "%safe = model.where %m, %sub, %inf : " +
    m +
    ", <f32, batch, s, group, rep, t>, <f32>\n"
    "%e = model.exp %safe : <f32, batch, s, group, rep, t>\n"
    "%all = model.sum [\"t\"] %e : <f32, batch, s, group, rep, t>\n"
    "%some = model.compare gt %all, %zero : <f32, batch, s, group, rep>, <f32>\n"
    "%by = model.where %some, %all, %one : <i1, batch, s, group, rep>, <f32, batch, s, group, "
    "rep>, <f32>\n"
    "%w = model.div %e, %by : <f32, batch, s, group, rep, t>, <f32, batch, s, group, rep>\n"
    "%wv = model.mul %w, %v : <f32, batch, s, group, rep, t>, " +
    v +
    "\n"
    "%o = model.sum [\"t\"] %wv : <f32, batch, s, group, rep, t, e>\n";
const std::string negated = "%r = model.neg %o : <f32, batch, s, group, rep, e>";

TEST(Attention, IsTheLibrarysDefinition) {
  expectNear(evaluated(dims, arguments, attention + negated, inputs),
             evaluated(dims, arguments, writtenOut + negated, inputs));
}

TEST(Attention, AnEmptiedRowIsZeroAndItsLogSumIsMinusInfinity) {
  Array output = evaluated(dims, arguments, attention + negated, inputs);
  for (int i = 8; i < 16; ++i) // batch 0, s 1
    EXPECT_EQ(output.floats()[i], 0);
  Array lse = evaluated(dims, arguments,
                        attention + "%r = model.neg %l : <f32, batch, s, group, rep>", inputs);
  EXPECT_EQ(lse.shape, (llvm::SmallVector<int64_t>{2, 3, 2, 2}));
  for (int i = 0; i < 24; ++i)
    EXPECT_EQ(lse.floats()[i] == infinity, i >= 4 && i < 8) << i;
}

TEST(Attention, ValuesMayHaveTheNameOfTheDepth) {
  std::string text = "%o, %l = model.attention \"t\" [\"d\"] %q, %k, %v scale 1.0 : <f32, s, d>, "
                     "<f32, t, d>, <f32, t, d>\n"
                     "%r = model.neg %o : <f32, s, d>";
  std::string few =
      "%q: !model.tensor<f32, s, d>, %k: !model.tensor<f32, t, d>, %v: !model.tensor<f32, t, d>";
  // equal scores: the mean of the values
  expectNear(evaluated("s t d", few, text,
                       {floats({1, 2}, {0, 0}), floats({2, 2}, {1, 2, 3, 4}),
                        floats({2, 2}, {1, 2, 3, 4})}),
             floats({1, 2}, {-2, -3}));
}

double loss(const std::vector<Array> &at) {
  return evaluated(dims, arguments,
                   attention + "%p = model.mul %o, %g : <f32, batch, s, group, rep, e>, <f32, "
                               "batch, s, group, rep, e>\n"
                               "%r = model.sum [\"batch\", \"s\", \"group\", \"rep\", \"e\"] %p : "
                               "<f32, batch, s, group, rep, e>",
                   at)
      .floats()[0];
}

TEST(AttentionGrad, IsTheSlopeOfEachInput) {
  std::string gradients =
      attention +
      "%dq, %dk, %dv = model.attention_grad \"t\" [\"d\"] %q, %k, %v mask %m of %o, %l by %g "
      "scale 0.5 : " +
      q + ", " + k + ", " + v +
      ", <f32, batch, s, group, rep, e>, <f32, batch, s, group, rep>, <f32, batch, s, group, rep, "
      "e>, " +
      tensor(m) + "\n";
  const char *names[] = {"dq", "dk", "dv"};
  const std::string types[] = {q, k, v};
  constexpr double step = 1e-5;
  for (int which = 0; which < 3; ++which) {
    Array found = evaluated(dims, arguments,
                            gradients + "%zero = model.constant 0.0\n%r = model.sub %" +
                                names[which] + ", %zero : " + types[which] + ", <f32>",
                            inputs);
    Array expected = inputs[which];
    for (size_t i = 0; i < expected.floats().size(); ++i) {
      std::vector<Array> up = inputs, down = inputs;
      std::get<Floats>(up[which].data)[i] += step;
      std::get<Floats>(down[which].data)[i] -= step;
      std::get<Floats>(expected.data)[i] = (loss(up) - loss(down)) / (2 * step);
    }
    expectNear(found, expected, 1e-8);
  }
}

} // namespace
