// What is stored as bfloat16: each number to the nearest one, ties to even, in vectors and one by
// one, wherever elements lie.
#include "EveryIsa.h"

#include "ir/model/Bfloat16.h"

#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <limits>

using namespace weft;
using namespace weft::test;

namespace {

class Stored : public EveryIsa {
protected:
  /// A copy of [a][b] that reads and writes with these strides and storages.
  Kernel copy(const std::string &from, const std::string &to) {
    return kernel(fmt::format(R"mlir(
model.dim @a
model.dim @b
func.func @f(%x: !model.tensor<f32, a, b>) {{
  %r = kernel.fused rows "copy" (%v = %x : !model.tensor<f32, a, b>) -> (!model.tensor<f32, a, b>)
      attributes {{layouts = [#kernel.layout<{}>, #kernel.layout<{}>]}} {{
    kernel.yield %v : !model.tensor<f32, a, b>
  }}
  return
}}
)mlir",
                              from, to));
  }
};

const char *const rows = R"(a: "b", b: "1")", *const columns = R"(a: "1", b: "a")",
                  *const spread = R"(a: "b * 3", b: "3")";

std::string narrow(const std::string &layout) {
  return layout + ", storage = bf16";
}

/// Numbers around each that a bfloat16 can be, with ties, infinities and NaNs.
Tensor hard(const Sizes &sizes) {
  Tensor x({"a", "b"}, sizes);
  uint32_t state = 1;
  for (size_t i = 0; i < x.data.size(); ++i) {
    state = state * 1664525 + 1013904223;
    uint32_t upper = state >> 16, lower = std::array{0u, 0x7fffu, 0x8000u, 0x8001u, 0xffffu}[i % 5];
    if ((upper & 0x7f80) == 0) // subnormal: which of them are flushed is the machine's
      upper |= 0x80;
    x.data[i] = std::bit_cast<float>(upper << 16 | lower);
  }
  return x;
}

/// Not by how far: which number exactly.
void expectRounded(const Tensor &got, const Tensor &from) {
  ASSERT_EQ(got.data.size(), from.data.size());
  for (size_t i = 0; i < got.data.size(); ++i) {
    double want = model::roundedToBfloat16(from.data[i]);
    ASSERT_TRUE(got.data[i] == want || (std::isnan(got.data[i]) && std::isnan(want)))
        << "element " << i << ": " << from.data[i] << " is stored as " << got.data[i] << ", not as "
        << want;
  }
}

TEST_P(Stored, IsTheNearest) {
  for (const char *from : {rows, columns, spread})
    for (const char *to : {rows, columns, spread}) {
      Kernel k = copy(from, narrow(to));
      ASSERT_TRUE(k.ok());
      for (int64_t b : {1, 5, 16, 33, 200}) {
        Sizes sizes{{"a", 37}, {"b", b}};
        Tensor x = hard(sizes);
        expectRounded(k.run(sizes, {x})[0], x);
      }
    }
}

TEST_P(Stored, IsReadAsItIs) {
  for (const char *from : {rows, columns, spread})
    for (const char *to : {rows, columns}) {
      Kernel k = copy(narrow(from), to);
      ASSERT_TRUE(k.ok());
      for (int64_t b : {1, 5, 16, 33, 200}) {
        Sizes sizes{{"a", 37}, {"b", b}};
        Tensor x = hard(sizes);
        expectRounded(k.run(sizes, {x})[0], x); // which `run` has rounded where it put it
      }
    }
}

INSTANTIATE_TEST_SUITE_P(OnEveryIsa, Stored, everyIsa(), isaName);

} // namespace
