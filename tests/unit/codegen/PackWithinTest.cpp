// Products whose tasks pack a right side themselves, drawn at random: how it lies, sizes about
// those of tiles, panels and blocks, beside one that is packed ahead, and narrow sides.
#include "ContractionCase.h"
#include "Draw.h"
#include "EveryIsa.h"
#include "tools/kernel/Inputs.h"

#include <fmt/format.h>

using namespace weft;
using namespace weft::test;

namespace {

const std::string panels =
    "#kernel.panels<batch = [g], rows = [h, d], columns = [o, n], width = 16";

/// A right side w[g, h, d, o, n]: the dimensions in an order of memory, with a gap now and then.
std::string strides(Draw &draw) {
  auto order = draw.shuffled(std::vector<std::string>{"g", "h", "d", "o", "n"});
  if (draw.chance(0.4)) // as weights lie, or their transposes
    order = draw.chance(0.5) ? std::vector<std::string>{"g", "h", "d", "o", "n"}
                             : std::vector<std::string>{"g", "o", "n", "h", "d"};
  std::string text, stride = draw.chance(0.2) ? "2" : "1";
  for (size_t i = order.size(); i-- > 0; stride += " * " + order[i])
    text = fmt::format("{}: \"{}\"{}{}", order[i], stride, text.empty() ? "" : ", ", text);
  return text;
}

/// A right side as a kernel finds it: what it packs, or panels in memory, which may be narrow.
struct Side {
  std::string layout, packs;

  Side(Draw &draw, bool within)
      : layout(fmt::format("{}{}>", within ? "#kernel.layout<" + strides(draw) : panels,
                           draw.chance(0.4) ? ", storage = bf16" : "")),
        packs(within ? panels + ">" : "unit") {}
};

std::string drawn(Draw &draw, const Sizes &known) {
  std::vector<std::string> dims;
  for (std::string name : {"g", "m", "h", "d", "o", "n"})
    dims.push_back(known.contains(name) ? fmt::format("{}={}", name, known.at(name)) : name);
  const Side p(draw, true), q(draw, draw.chance(0.6));
  const char *lefts[] = {R"(g: "m * h * d", m: "h * d", h: "d", d: "1")",
                         R"(g: "m * h * d", m: "1", h: "m * d", d: "m")",
                         R"(g: "m * h * d", m: "d", h: "m * d", d: "1")"};
  auto left = [&] {
    return fmt::format("#kernel.layout<{}{}", lefts[draw.below(3)],
                       draw.chance(0.4) ? ", storage = bf16>" : ">");
  };
  const bool swapped = draw.chance(0.3); // then the result lists columns first
  auto times = [&](const char *x, const char *w) {
    return fmt::format("model.contract [\"h\", \"d\"] {}, {} : {}", swapped ? w : x,
                       swapped ? x : w, swapped ? "!w, !x" : "!x, !w");
  };
  // One product; two that meet; two left sides in one sum, and a bias.
  const std::string bodies[] = {
      "%o = " + times("%a", "%p"),
      "%c = " + times("%a", "%p") + "\n%e = " + times("%a", "%q") +
          "\n%o = model.mul %c, %e : !y, !y",
      "%c = " + times("%a", "%p") + "\n%e = " + times("%z", "%q") +
          "\n%f = model.add %c, %e : !y, !y\n%o = model.add %f, %bias : !y, !b"};
  const int64_t which = draw.below(3);
  const std::string body = bodies[which], second = which == 0 ? "unit" : q.packs;
  std::string text = fmt::format(
      R"(
!x = !model.tensor<f32, g, m, h, d>
!w = !model.tensor<f32, g, h, d, o, n>
!b = !model.tensor<f32, o, n>
!y = !model.tensor<f32, {6}>
func.func @f(%x1: !x, %x2: !x, %w1: !w, %w2: !w, %b1: !b) {{
  %u = kernel.fused contraction "drawn" (%a = %x1 : !x, %z = %x2 : !x, %p = %w1 : !w, %q = %w2 : !w, %bias = %b1 : !b)
      -> (!y) attributes {{
      layouts = [{0}, {1}, {2}, {3}, #kernel.layout<o: "n", n: "1">, #kernel.layout<g: "m * o * n", m: "o * n", o: "n", n: "1">],
      packs = [unit, unit, {4}, {5}, unit], SCHEDULE }} {{
    {7}
    kernel.yield %o : !y
  }}
  return
}})",
      left(), left(), p.layout, q.layout, p.packs, second, swapped ? "g, o, n, m" : "g, m, o, n",
      body);
  const int64_t rows[] = {8, 16, 40, 96}, columns[] = {48, 96, 144}, k[] = {4, 32, 48, 100};
  return module(dims, text,
                blocks(rows[draw.below(4)], columns[draw.below(3)], k[draw.below(4)],
                       {.rowsFirst = draw.chance(0.5), .nonTemporal = draw.chance(0.5)}));
}

Sizes sizesFrom(Draw &draw) {
  const int64_t tiles[] = {1, 6, 8, 16, 32, 48, 64};
  auto about = [&] {
    int64_t tile = tiles[draw.below(7)];
    return draw.chance(0.3) ? 1 + draw.below(5) : std::max<int64_t>(1, tile - 1 + draw.below(3));
  };
  int64_t g = 1 + draw.below(2), h = 1 + draw.below(3), o = 1 + draw.below(3);
  return {{"g", g}, {"m", about()}, {"h", h}, {"d", about()}, {"o", o}, {"n", about()}};
}

class PackWithinTest : public EveryIsa {};

TEST_P(PackWithinTest, AgreesWithTheInterpreter) {
  Seeds seeds(16);
  for (uint64_t seed = seeds.first; seed < seeds.first + seeds.count; ++seed) {
    SCOPED_TRACE(seed);
    Draw draw(seed);
    Sizes sizes = sizesFrom(draw), known;
    for (const auto &[name, size] : sizes)
      if (draw.chance(0.4))
        known[name] = size;
    std::string text = drawn(draw, known);
    Kernel kernel(GetParam(), text);
    ASSERT_TRUE(kernel.ok()) << text;
    for (int more = 0; more < 3; ++more) {
      std::string trace;
      for (const auto &[name, size] : sizes)
        trace += fmt::format("{}={} ", name, size);
      SCOPED_TRACE(trace);
      std::vector<Tensor> inputs = inputsOf(kernel.op(), sizes, /*positive=*/false);
      ASSERT_TRUE(close(kernel.run(sizes, inputs)[0], kernel.interpret(sizes, inputs)[0], 4e-6))
          << text;
      sizes = sizesFrom(draw);
      for (const auto &[name, size] : known)
        sizes[name] = size;
    }
  }
}

// Rows of two dimensions, of which the inner one alone is contiguous: squares that are transposed
// begin where it does, wherever a block along the sum does.
TEST_P(PackWithinTest, BlocksBeginAnywhere) {
  for (int64_t d : {16, 48})
    for (int64_t k : {12, 20, 36, 100}) {
      SCOPED_TRACE(fmt::format("d={} k={}", d, k));
      Kernel kernel(GetParam(), module({"m", "h", fmt::format("d={}", d), "n"},
                                       R"(
!x = !model.tensor<f32, m, h, d>
!w = !model.tensor<f32, h, d, n>
!y = !model.tensor<f32, m, n>
func.func @f(%x1: !x, %w1: !w) {
  %u = kernel.fused contraction "blocks" (%a = %x1 : !x, %p = %w1 : !w) -> (!y) attributes {
      layouts = [#kernel.layout<m: "h * d", h: "d", d: "1">, #kernel.layout<h: "n * d", n: "d", d: "1">, #kernel.layout<m: "n", n: "1">],
      packs = [unit, #kernel.panels<batch = [], rows = [h, d], columns = [n], width = 16>], SCHEDULE } {
    %o = model.contract ["h", "d"] %a, %p : !x, !w
    kernel.yield %o : !y
  }
  return
})",
                                       blocks(16, 48, k)));
      ASSERT_TRUE(kernel.ok());
      Sizes sizes{{"m", 9}, {"h", 3}, {"d", d}, {"n", 37}};
      std::vector<Tensor> inputs = inputsOf(kernel.op(), sizes, /*positive=*/false);
      EXPECT_TRUE(close(kernel.run(sizes, inputs)[0], kernel.interpret(sizes, inputs)[0], 4e-6));
    }
}

INSTANTIATE_TEST_SUITE_P(Isa, PackWithinTest, everyIsaOfProducts(), isaName);

} // namespace
