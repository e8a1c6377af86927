// Rows of whole numbers that share scales: what packs write, exactly, and attention that reads its
// keys and values so, against the interpreter in f64.
#include "AttentionCase.h"
#include "Draw.h"
#include "EveryIsa.h"

#include "ir/model/weights/GroupedRow.h"
#include "runtime/machine/Denormals.h"
#include "runtime/tensors/ElementType.h"
#include "tools/kernel/storage/GroupedRows.h"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <numeric>
#include <ranges>

using namespace weft;
using namespace weft::test;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

static_assert(runtime::grouped::length == model::grouped::length &&
              runtime::grouped::bytes == model::grouped::bytes);

/// Some numbers of all kinds that are no usual ones.
void harden(Tensor &tensor) {
  const double few[] = {0, infinity, std::nan(""), 1e-38, 3e38, -1e-42, -infinity, -0.0};
  for (size_t i = 0; i < tensor.data.size(); i += 197)
    tensor.data[i] = float(few[i / 197 % 8]);
  for (size_t i = tensor.data.size() / 2; i < tensor.data.size() / 2 + 64 && i < tensor.data.size();
       ++i)
    tensor.data[i] = i % 2 ? 0 : 1e-42;
}

// A program's runtime and the compiler's tools have a function each.
TEST(GroupedRows, AreTheSameForRuntimes) {
  for (Seeds seeds(50); uint64_t each : std::views::iota(seeds.first, seeds.first + seeds.count)) {
    Draw draw(each);
    Tensor values = Tensor::normal({"x"}, {{"x", 32 * (1 + draw.below(9))}}, unsigned(each));
    for (double &value : values.data)
      value = float(value * std::pow(2.0, double(draw.below(40) - 20)));
    if (draw.chance(0.5))
      harden(values);
    std::vector<float> floats(values.data.begin(), values.data.end());
    std::vector<int64_t> places(floats.size());
    std::iota(places.begin(), places.end(), 0);
    size_t bytes = floats.size() / 32 * 34;
    std::vector<char> one(bytes), other(bytes);
    runtime::DenormalsIgnored ignored;
    GroupedRows::encode(values.data, places, one.data());
    runtime::grouped::store(floats.data(), int64_t(floats.size()), other.data());
    ASSERT_EQ(one, other);
    for (int64_t place : places) {
      double found = GroupedRows::decode(one.data(), place);
      ASSERT_TRUE(std::isnan(found) ? std::isnan(runtime::grouped::valueAt(other.data(), place))
                                    : found == runtime::grouped::valueAt(other.data(), place));
    }
  }
}

struct GroupedRowsTest : EveryIsa {
  using Dims = std::vector<std::string>;

  static kernel::LayoutAttr layoutOf(Kernel &kernel, unsigned number) {
    return cast<kernel::LayoutAttr>(kernel.op().getLayoutsAttr()[number]);
  }

  /// To numbers that rounding does not change.
  static void round(Kernel &kernel, unsigned number, Tensor &tensor) {
    GroupedRows rows(layoutOf(kernel, number), tensor.dims, tensor.shape);
    for (std::vector<double> before; before != tensor.data;) {
      before = tensor.data;
      rows.round(tensor.data);
    }
  }

  /// Against the interpreter, whose keys and values are what the kernel reads.
  void check(const AttentionCase &attention, const std::vector<Sizes> &all) {
    Kernel kernel(GetParam(), attention.forwardKernel());
    ASSERT_TRUE(kernel.ok());
    for (const Sizes &free : all)
      check(kernel, attention, attention.sizes(free));
  }

private:
  void check(Kernel &kernel, const AttentionCase &attention, const Sizes &sizes) {
    SCOPED_TRACE(textOf(sizes));
    std::vector<Tensor> inputs = attention.sides(sizes, /*drawn=*/1);
    for (unsigned side : {1, 2})
      if (isGroupedRows(layoutOf(kernel, side)))
        round(kernel, side, inputs[side]);
    if (attention.biasOperand)
      inputs.push_back(Tensor::normal(*attention.biasOperand, sizes, 5));
    Tensor gradient = Tensor::normal(attention.output(), sizes, 4);
    std::vector<Tensor> want = attention.reference(sizes, inputs, gradient),
                        got = kernel.run(sizes, inputs);
    EXPECT_TRUE(close(got[0], want[0], 1e-5)) << "output";
    EXPECT_TRUE(close(got[1], want[1], 1e-5)) << "logsumexp";
  }
};

/// Keys and values with heads; `room`: of a cache that has more of them.
AttentionCase heads(int64_t count, int64_t depth, int64_t values, int64_t room = 0) {
  auto sized = [](const char *name, int64_t size) { return fmt::format("{}={}", name, size); };
  AttentionCase attention{
      .dims = {"b", "s", "t", sized("h", count), sized("d", depth), sized("w", values)},
      .q = {"b", "s", "h", "d"},
      .k = {"b", "t", "h", "d"},
      .v = {"b", "t", "h", "w"}};
  auto layout = [&](const char *row, int64_t length) {
    std::string rows =
        room ? std::to_string(room * count * length) : fmt::format("t * {}", count * length);
    return fmt::format(R"(#kernel.layout<b: "{}", t: "{}", h: "{}", {}: "1", storage = i8>)", rows,
                       count * length, length, row);
  };
  attention.layouts = {{"k", layout("d", depth)}, {"v", layout("w", values)}};
  return attention;
}

TEST_P(GroupedRowsTest, EveryTailOfAttention) {
  std::vector<Sizes> few, all;
  for (int64_t s : {1, 7, 8, 9, 24, 25, 193})
    few.push_back({{"b", 1}, {"s", s}, {"t", 17}});
  check(heads(2, 32, 64), few);
  for (int64_t t : {0, 1, 2, 15, 16, 17, 33, 255, 256, 257, 300})
    for (int64_t s : {1, 9})
      all.push_back({{"b", 2}, {"s", s}, {"t", t}});
  check(heads(2, 64, 32), all);
}

// One side alone, as where the other is read by something else too.
TEST_P(GroupedRowsTest, OneSide) {
  for (const char *side : {"k", "v"}) {
    AttentionCase attention = heads(2, 32, 32);
    attention.layouts.erase(side);
    check(causal(attention), {{{"b", 1}, {"s", 1}, {"t", 30}},
                              {{"b", 1}, {"s", 9}, {"t", 30}},
                              {{"b", 1}, {"s", 30}, {"t", 30}}});
  }
}

TEST_P(GroupedRowsTest, AtRandom) {
  for (Seeds seeds(6); uint64_t each : std::views::iota(seeds.first, seeds.first + seeds.count)) {
    SCOPED_TRACE(fmt::format("seed {}", each));
    Draw draw(each);
    int64_t t = 1 + draw.below(draw.chance(0.2) ? 600 : 90);
    const std::vector<int64_t> rows = {32, 32, 64, 96, 128};
    AttentionCase attention = heads(1 + draw.below(4), draw.one(rows), draw.one(rows),
                                    draw.chance(0.5) ? t + draw.below(40) : 0);
    if (draw.chance(0.3)) { // several queries of a key
      attention.dims.push_back(fmt::format("r={}", 1 + draw.below(4)));
      attention.q.insert(attention.q.end() - 1, "r");
    }
    int64_t s = draw.chance(0.5) ? 1 + draw.below(8) : 1 + draw.below(60);
    Sizes sizes{{"b", 1 + draw.below(3)}, {"s", s}, {"t", t}};
    switch (draw.below(4)) {
    case 0:
      attention = causal(attention);
      break;
    case 1:
      attention = windowed(attention);
      break;
    case 2:
      attention = capped(attention);
      break;
    default:
      break;
    }
    check(attention, {sizes});
  }
}

TEST_P(GroupedRowsTest, ArePackedFromEveryDirection) {
  for (const char *source :
       {R"(b: "t * 128", t: "128", h: "64", d: "1")",
        R"(b: "t * 128", t: "1", h: "64 * t", d: "t")", R"(b: "t * 128", t: "128", h: "1", d: "2")",
        R"(b: "t * 128", t: "128", h: "64", d: "1", storage = bf16)"}) {
    Kernel kernel(GetParam(), fmt::format(R"(
model.dim @b
model.dim @t
model.dim @h = <2>
model.dim @d = <64>
!x = !model.tensor<f32, b, t, h, d>
func.func @f(%x: !x) {{
  %r = kernel.fused pack "rows" (%a = %x : !x) -> (!x) attributes {{
      layouts = [#kernel.layout<{}>, #kernel.layout<b: "200 * 128", t: "128", h: "64", d: "1", storage = i8>] }} {{
    kernel.yield %a : !x
  }}
  return
}})",
                                          source));
    ASSERT_TRUE(kernel.ok());
    for (int64_t t : {1, 2, 65, 200}) {
      Sizes sizes{{"b", 2}, {"t", t}, {"h", 2}, {"d", 64}};
      Tensor values = Tensor::normal({"b", "t", "h", "d"}, sizes, unsigned(t));
      harden(values);
      if (std::string_view(source).find("bf16") != std::string_view::npos)
        AttentionCase::round(values);
      runtime::DenormalsIgnored ignored;
      std::vector<Tensor> got = kernel.run(sizes, {values});
      EXPECT_TRUE(isRoundedTo(layoutOf(kernel, 1), got[0], values)) << source << " t=" << t;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Isa, GroupedRowsTest, everyIsa(), isaName);

} // namespace
