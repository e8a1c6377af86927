// Panels of bfloat16, two rows in a word: packed from every direction exactly, and multiplied with
// every tail, by floats and by what is bfloat16 too.
#include "EveryIsa.h"

#include "ir/kernel/storage/PairedPanels.h"
#include "ir/model/Bfloat16.h"

#include <fmt/format.h>

using namespace weft;
using namespace weft::test;

namespace {

TEST(PairedPanels, AreWords) {
  mlir::MLIRContext context;
  context.loadDialect<kernel::KernelDialect>();
  mlir::Type bf16 = mlir::BFloat16Type::get(&context);
  auto panels = kernel::PanelsAttr::get(&context, {}, {}, {}, 16);
  mlir::Attribute pairs = kernel::withStorage(panels, bf16);
  EXPECT_FALSE(kernel::isPaired(panels));
  EXPECT_EQ(kernel::storedRows(panels, 7), 7);
  EXPECT_EQ(kernel::placeInPanel(panels, 3, 5, 16), 3 * 16 + 5);
  EXPECT_EQ(kernel::storedRows(pairs, 7), 8);
  EXPECT_EQ(kernel::storedRows(pairs, 8), 8);
  EXPECT_EQ(kernel::storedRows(pairs, 0), 0);
  EXPECT_EQ(kernel::placeInPanel(pairs, 2, 5, 16), 32 + 10);
  EXPECT_EQ(kernel::placeInPanel(pairs, 3, 5, 16), 32 + 11);
}

class PairedPanels : public EveryIsa {
protected:
  Kernel packer(const char *layout) {
    return kernel(fmt::format(R"(
model.dim @head
model.dim @k
model.dim @part = <2>
model.dim @n
!w = !model.tensor<f32, head, part, k, n>
func.func @f(%w: !w) {{
  %r = kernel.fused pack "w" (%a = %w : !w) -> (!w) attributes {{
      layouts = [#kernel.layout<{}>, #kernel.panels<batch = [head], rows = [part, k], columns = [n], width = 16, storage = bf16>] }} {{
    kernel.yield %a : !w
  }}
  return
}})",
                              layout));
  }

  /// x[m, k] * w[k, n], w in panels.
  Kernel product(const char *left, const std::string &schedule = "") {
    return kernel(fmt::format(R"(
model.dim @m
model.dim @k
model.dim @n
func.func @f(%x: !model.tensor<f32, m, k>, %w: !model.tensor<f32, k, n>) {{
  %r = kernel.fused contraction "plain" (%a = %x : !model.tensor<f32, m, k>, %b = %w : !model.tensor<f32, k, n>)
      -> (!model.tensor<f32, m, n>) attributes {{
        layouts = [#kernel.layout<{}>, #kernel.panels<batch = [], rows = [k], columns = [n], width = 16, storage = bf16>,
                   #kernel.layout<m: "n", n: "1">]{} }} {{
    %c = model.contract ["k"] %a, %b : !model.tensor<f32, m, k>, !model.tensor<f32, k, n>
    kernel.yield %c : !model.tensor<f32, m, n>
  }}
  return
}})",
                              left, schedule));
  }

  /// How the compiled product multiplies pairs on both sides: "", "dots", "amx".
  static std::string pairsIn(Kernel &kernel) {
    for (const char *kind : {"dots", "amx"})
      if (kernel.llvm().find(fmt::format(".{}.", kind)) != std::string::npos)
        return kind;
    return "";
  }
  static std::string pairsOf(cpu::Isa isa) {
    return isa == cpu::Isa::avx512_bf16 ? "dots" : isa == cpu::Isa::amx ? "amx" : "";
  }
};

// The left side as rows, as columns, at a stride of two, and all of these as bfloat16.
const char *const lefts[] = {R"(m: "k", k: "1")",
                             R"(m: "1", k: "m")",
                             R"(m: "2 * k", k: "2")",
                             R"(m: "k", k: "1", storage = bf16)",
                             R"(m: "1", k: "m", storage = bf16)",
                             R"(m: "2 * k", k: "2", storage = bf16)"};

bool isNarrow(const char *left) {
  return std::string_view(left).find("bf16") != std::string_view::npos;
}

void expectProduct(Kernel &kernel, const char *left, int64_t m, int64_t n, int64_t k) {
  SCOPED_TRACE(fmt::format("{} {} x {} x {}", left, m, n, k));
  Sizes sizes{{"m", m}, {"n", n}, {"k", k}};
  Tensor x = Tensor::normal({"m", "k"}, sizes, 1), w = Tensor::normal({"k", "n"}, sizes, 2);
  Tensor want({"m", "n"}, sizes);
  auto stored = [](double value, bool narrow) {
    return narrow ? model::roundedToBfloat16(value) : value;
  };
  for (int64_t row = 0; row < m; ++row)
    for (int64_t column = 0; column < n; ++column)
      for (int64_t i = 0; i < k; ++i)
        want.data[row * n + column] +=
            stored(x.data[row * k + i], isNarrow(left)) * stored(w.data[i * n + column], true);
  ASSERT_TRUE(close(kernel.run(sizes, {x, w})[0], want, 2e-6));
}

TEST_P(PairedPanels, ArePackedFromEveryDirection) {
  for (const char *layout : {R"(head: "2 * k * n", part: "k * n", k: "n", n: "1")",
                             R"(head: "2 * k * n", part: "k", k: "1", n: "2 * k")",
                             R"(n: "2 * k * head", head: "2 * k", part: "k", k: "1")",
                             R"(head: "1", part: "head", k: "2 * head", n: "2 * head * k")",
                             R"(head: "k", part: "head * k", k: "1", n: "2 * head * k")"}) {
    Kernel kernel = packer(layout);
    ASSERT_TRUE(kernel.ok());
    for (int64_t n : {1, 16, 17, 70})
      for (int64_t k : {1, 8, 16, 17, 33, 260}) {
        SCOPED_TRACE(fmt::format("{} n={} k={}", layout, n, k));
        Sizes sizes{{"head", 2}, {"part", 2}, {"k", k}, {"n", n}};
        Tensor w = Tensor::normal({"head", "part", "k", "n"}, sizes, 1);
        Tensor want = w;
        for (double &each : want.data)
          each = model::roundedToBfloat16(each);
        ASSERT_TRUE(close(kernel.run(sizes, {w})[0], want, 0));
      }
  }
}

// Rows in pairs may be an odd number: of one static dimension.
TEST_P(PairedPanels, ArePackedWhereRowsAreOdd) {
  for (const char *layout : {R"(k: "n", n: "1")", R"(k: "1", n: "k")"}) {
    Kernel k = kernel(fmt::format(R"(
model.dim @k
model.dim @n
!w = !model.tensor<f32, k, n>
func.func @f(%w: !w) {{
  %r = kernel.fused pack "w" (%a = %w : !w) -> (!w) attributes {{
      layouts = [#kernel.layout<{}>, #kernel.panels<batch = [], rows = [k], columns = [n], width = 16, storage = bf16>] }} {{
    kernel.yield %a : !w
  }}
  return
}})",
                                  layout));
    ASSERT_TRUE(k.ok());
    for (int64_t n : {1, 16, 33})
      for (int64_t rows : {0, 1, 2, 7, 8, 15, 127, 128, 129, 385}) {
        SCOPED_TRACE(fmt::format("{} n={} k={}", layout, n, rows));
        Sizes sizes{{"k", rows}, {"n", n}};
        Tensor w = Tensor::normal({"k", "n"}, sizes, 1);
        Tensor want = w;
        for (double &each : want.data)
          each = model::roundedToBfloat16(each);
        ASSERT_TRUE(close(k.run(sizes, {w})[0], want, 0));
      }
  }
}

TEST_P(PairedPanels, AreMultipliedWithEveryTail) {
  for (const char *left : lefts) {
    Kernel kernel = product(left);
    ASSERT_TRUE(kernel.ok());
    EXPECT_EQ(pairsIn(kernel), isNarrow(left) ? pairsOf(GetParam()) : "");
    for (int64_t m = 1; m <= 18; ++m)
      expectProduct(kernel, left, m, 16 + m, 39);
    for (int64_t m : {1, 9})
      for (int64_t n : {1, 15, 16, 17, 48, 49, 100})
        expectProduct(kernel, left, m, n, 35);
    for (int64_t m : {1, 3, 17})
      for (int64_t k : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 31, 32, 33, 767, 768, 769, 2101})
        expectProduct(kernel, left, m, 17, k);
    for (int64_t m : {31, 32, 33, 63, 64, 65})
      for (int64_t n : {31, 32, 33})
        expectProduct(kernel, left, m, n, 63 + m % 3);
    expectProduct(kernel, left, 97, 200, 33);
    expectProduct(kernel, left, 0, 5, 5);
    expectProduct(kernel, left, 5, 0, 5);
  }
}

TEST_P(PairedPanels, AreMultipliedInBlocks) {
  const std::string schedule = R"(, schedule = {
    "x86-64-v3" = #cpu.contraction<tile = 6x16, accumulators = 12, rows = 12, columns = 32, k = 64, work = 1000,
                                   tasks = 64, long_sum = 8192, long_tasks = 8>,
    "avx512" = #cpu.contraction<tile = 8x48, accumulators = 24, rows = 16, columns = 96, k = 32, work = 1000,
                                tasks = 64, long_sum = 8192, long_tasks = 8>})";
  for (const char *left : lefts) {
    Kernel kernel = product(left, schedule);
    ASSERT_TRUE(kernel.ok());
    for (int64_t m : {6, 53})
      for (int64_t k : {31, 65, 202})
        expectProduct(kernel, left, m, 133, k);
  }
}

INSTANTIATE_TEST_SUITE_P(OnEveryIsa, PairedPanels, everyIsaOfProducts(), isaName);

} // namespace
