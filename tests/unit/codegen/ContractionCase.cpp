// Products and their schedules as text, and what they give.
#include "ContractionCase.h"

#include <fmt/format.h>

namespace weft::test {

namespace {

/// One loop of a product, the outermost first: how far each side goes with it.
struct Loop {
  int64_t count, a, b;
};

/// The elements that `tensor` goes on by with each step of `dim`; 0 where it does not have it.
int64_t stride(const Tensor &tensor, const std::string &dim) {
  int64_t step = 1;
  for (size_t i = tensor.dims.size(); i-- > 0; step *= tensor.shape[i])
    if (tensor.dims[i] == dim)
      return step;
  return 0;
}

/// Where `tensor` begins at `index`: at 0 along what that does not name.
const double *from(const Tensor &tensor, const Index &index) {
  const double *place = tensor.data.data();
  for (const auto &[dim, i] : index)
    place += i * stride(tensor, dim);
  return place;
}

/// Adds up what `loops` reach. Tests go through millions of elements, too many to look each up by
/// its names.
double sumOf(const Loop *loops, const Loop *end, const double *a, const double *b) {
  if (loops == end)
    return *a * *b;
  double sum = 0;
  for (int64_t i = 0; i < loops->count; ++i, a += loops->a, b += loops->b)
    sum += sumOf(loops + 1, end, a, b);
  return sum;
}

} // namespace

Tensor product(const std::vector<std::string> &dims, const std::vector<std::string> &over,
               const Tensor &a, const Tensor &b, const Sizes &sizes) {
  std::vector<Loop> loops;
  for (const std::string &dim : over)
    loops.push_back({sizes.at(dim), stride(a, dim), stride(b, dim)});
  return Tensor::of(dims, sizes, [&](const Index &at) {
    return sumOf(loops.data(), loops.data() + loops.size(), from(a, at), from(b, at));
  });
}

std::string blocks(int64_t rows, int64_t columns, int64_t k, Beside beside) {
  auto one = [&](const char *isa, int64_t tileRows, int64_t tileColumns) {
    return fmt::format("\"{}\" = #cpu.contraction<tile = {}x{}, accumulators = {}, "
                       "rows = {}, columns = {}, "
                       "k = {}, work = 131072, tasks = 64, long_sum = 8192, long_tasks = 8, "
                       "rows_first = {}, non_temporal = {}, few = {}x{}>",
                       isa, tileRows, tileColumns,
                       tileRows * tileColumns / (tileRows == 8 ? 16 : 8),
                       (rows + tileRows - 1) / tileRows * tileRows,
                       (columns + tileColumns - 1) / tileColumns * tileColumns, k, beside.rowsFirst,
                       beside.nonTemporal, beside.fewRows, beside.fewWidths * tileColumns);
  };
  return fmt::format("schedule = {{{}, {}, {}}}", one("x86-64-v3", 6, 16), one("avx512", 8, 48),
                     one("amx", 32, 32));
}

std::string module(const std::vector<std::string> &dims, std::string kernel,
                   const std::string &schedule) {
  std::string text;
  if (size_t at = kernel.find("SCHEDULE"); at != std::string::npos)
    kernel.replace(at, 8, schedule);
  for (const std::string &dim : dims) {
    size_t equals = dim.find('=');
    text +=
        equals == std::string::npos
            ? fmt::format("model.dim @{}\n", dim)
            : fmt::format("model.dim @{} = <{}>\n", dim.substr(0, equals), dim.substr(equals + 1));
  }
  return text + kernel;
}

std::string plain(const std::vector<std::string> &dims, const std::string &schedule) {
  return module(dims, fmt::format(R"(
func.func @f(%x: !model.tensor<f32, m, k>, %w: !model.tensor<f32, k, n>) {{
  %r = kernel.fused contraction "plain" (%a = %x : !model.tensor<f32, m, k>, %b = %w : !model.tensor<f32, k, n>)
      -> (!model.tensor<f32, m, n>) attributes {{
        layouts = [#kernel.layout<m: "k", k: "1">, #kernel.panels<batch = [], rows = [k], columns = [n], width = 16>,
                   #kernel.layout<m: "n", n: "1">]{} }} {{
    %c = model.contract ["k"] %a, %b : !model.tensor<f32, m, k>, !model.tensor<f32, k, n>
    kernel.yield %c : !model.tensor<f32, m, n>
  }}
  return
}})",
                                  schedule));
}

void checkPlain(Kernel &kernel, int64_t m, int64_t n, int64_t k) {
  SCOPED_TRACE(fmt::format("{} x {} x {}", m, n, k));
  Sizes sizes{{"m", m}, {"n", n}, {"k", k}};
  Tensor x = Tensor::normal({"m", "k"}, sizes, 1), w = Tensor::normal({"k", "n"}, sizes, 2);
  std::vector<Tensor> got = kernel.run(sizes, {x, w});
  EXPECT_TRUE(close(got[0], product({"m", "n"}, {"k"}, x, w, sizes), 1e-6));
}

} // namespace weft::test
