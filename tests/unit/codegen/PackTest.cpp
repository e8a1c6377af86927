// Packing into panels: from every direction the source can be contiguous in, exactly, with zeros
// beyond the end.
#include "EveryIsa.h"

#include <fmt/format.h>

using namespace weft;
using namespace weft::test;

namespace {

class PackTest : public EveryIsa {};

Kernel packer(cpu::Isa isa, const std::string &layout, const std::string &schedule = "",
              const std::string &k = "") {
  return Kernel(isa, fmt::format(R"(
model.dim @head
model.dim @k{}
model.dim @part = <2>
model.dim @n
!w = !model.tensor<f32, head, part, k, n>
func.func @f(%w: !w) {{
  %r = kernel.fused pack "w" (%a = %w : !w) -> (!w) attributes {{
      layouts = [#kernel.layout<{}>, #kernel.panels<batch = [head], rows = [part, k], columns = [n], width = 16>]{} }} {{
    kernel.yield %a : !w
  }}
  return
}})",
                                 k, layout, schedule));
}

TEST_P(PackTest, EveryDirection) {
  for (const char *layout : {R"(head: "2 * k * n", part: "k * n", k: "n", n: "1")",
                             R"(head: "2 * k * n", part: "k", k: "1", n: "2 * k")",
                             R"(n: "2 * k * head", head: "2 * k", part: "k", k: "1")",
                             R"(head: "1", part: "head", k: "2 * head", n: "2 * head * k")"}) {
    Kernel kernel = packer(GetParam(), layout);
    ASSERT_TRUE(kernel.ok());
    for (int64_t n : {1, 16, 17, 70})
      for (int64_t k : {1, 8, 17, 260}) {
        SCOPED_TRACE(fmt::format("{} n={} k={}", layout, n, k));
        Sizes sizes{{"head", 2}, {"part", 2}, {"k", k}, {"n", n}};
        Tensor w = Tensor::normal({"head", "part", "k", "n"}, sizes, 1);
        EXPECT_TRUE(close(kernel.run(sizes, {w})[0], w, 0));
      }
  }
}

// The second task begins at row 44, and its first square would cross from one part into the next.
TEST_P(PackTest, TasksBeginAnywhere) {
  Kernel kernel = packer(GetParam(), R"(part: "head * n * 48", head: "n * 48", n: "48", k: "1")",
                         R"(, schedule = {"x86-64-v3" = #cpu.pack<panels = 2, rows = 44>,
                                          "avx512" = #cpu.pack<panels = 2, rows = 44>})",
                         " = <48>");
  ASSERT_TRUE(kernel.ok());
  Sizes sizes{{"head", 2}, {"part", 2}, {"k", 48}, {"n", 37}};
  Tensor w = Tensor::normal({"head", "part", "k", "n"}, sizes, 1);
  EXPECT_TRUE(close(kernel.run(sizes, {w})[0], w, 0));
}

INSTANTIATE_TEST_SUITE_P(Isa, PackTest, everyIsa(), isaName);

} // namespace
