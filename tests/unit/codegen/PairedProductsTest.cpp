// Products of bfloat16 by panels in pairs, or of whole numbers that share scales, drawn at random:
// where the left side lies, sizes about those of tiles, blocks, and what is computed behind them.
#include "ContractionCase.h"
#include "Draw.h"
#include "EveryIsa.h"

#include "ir/model/Bfloat16.h"
#include "runtime/machine/Isa.h"
#include "tools/kernel/amx/Tiles.h"

#include <fmt/format.h>

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/SourceMgr.h"

using namespace weft;
using namespace weft::test;

namespace {

// x[g, b, s, h, d]: rows are b and s, the sum is over h and d.
constexpr int64_t leftsAlongSum = 3; // the first of them
const std::vector<std::string> lefts = {
    // As rows at one stride, each contiguous along the sum; with others between them.
    R"(g: "b * s * h * d", b: "s * h * d", s: "h * d", h: "d", d: "1")",
    R"(g: "b * s * h * d * 2", b: "s * h * d * 2", s: "h * d * 2", h: "d", d: "1")",
    // Rows that no stride leads through.
    R"(g: "b * s * h * d", b: "h * d", s: "b * h * d", h: "d", d: "1")",
    // Rows side by side, by positions at one stride and at none.
    R"(g: "b * s * h * d", b: "s", s: "1", h: "d * b * s", d: "b * s")",
    R"(g: "b * s * h * d", b: "s", s: "1", h: "b * s", d: "h * b * s")",
    // Neither side by side.
    R"(g: "b * s * h * d", b: "1", s: "b", h: "d * b * s", d: "b * s")",
    R"(g: "b * s * h * d", b: "s * d", s: "d", h: "b * s * d", d: "1")",
};

// One product; with a bias, a maximum and a residual behind it; two that meet; two left sides in
// one sum.
const std::vector<std::string> bodies = {
    "%o = model.contract [\"h\", \"d\"] %a, %p : !x, !w\n",
    R"(%c = model.contract ["h", "d"] %a, %p : !x, !w
    %e = model.add %c, %bias : !y, !b
    %zero = model.constant 0.0 : f64
    %f = model.max %e, %zero : !y, !s
    %o = model.add %f, %rest : !y, !y)",
    R"(%c = model.contract ["h", "d"] %a, %p : !x, !w
    %e = model.contract ["h", "d"] %a, %q : !x, !w
    %o = model.mul %c, %e : !y, !y)",
    R"(%c = model.contract ["h", "d"] %a, %p : !x, !w
    %e = model.contract ["h", "d"] %z, %q : !x, !w
    %f = model.add %c, %e : !y, !y
    %o = model.add %f, %bias : !y, !b)",
};

/// A product, its body by number, which left sides are stored as bfloat16 (the others are f32), and
/// how the weights of both products are stored.
struct Form {
  size_t body = 0;
  bool narrow[2] = {true, true};
  std::string storages[2] = {"bf16", "bf16"};
  /// Whether left sides lie along the sum, as words that weights share scales with do.
  bool alongSum = false;

  bool usesSecond() const { return body >= 2; }
  bool isPaired(int product) const { return storages[product] == "bf16"; }
  bool isNarrow(int product) const { return narrow[body == 3 ? product : 0]; }
  /// Whether all sides of its products are stored as bfloat16.
  bool hasPairs() const {
    return isNarrow(0) && isPaired(0) && (!usesSecond() || (isNarrow(1) && isPaired(1)));
  }
  /// Whether a product has bfloat16 on the left, and on the right what is paired or is not.
  bool multiplies(bool paired) const {
    return (isNarrow(0) && isPaired(0) == paired) ||
           (usesSecond() && isNarrow(1) && isPaired(1) == paired);
  }
  std::string panels(int product) const {
    return fmt::format("#kernel.panels<batch = [g], rows = [h, d], columns = [n], width = 16, "
                       "storage = {}>",
                       storages[product]);
  }
};

/// Of each value of the body, rounded to bfloat16 where it is stored so.
std::vector<Tensor> inputsFor(const Form &form, const Sizes &sizes) {
  std::vector<std::string> x{"g", "b", "s", "h", "d"}, w{"g", "h", "d", "n"}, y{"g", "b", "s", "n"};
  std::vector<Tensor> all{Tensor::normal(x, sizes, 1),     Tensor::normal(x, sizes, 2),
                          Tensor::normal(w, sizes, 3),     Tensor::normal(w, sizes, 4),
                          Tensor::normal({"n"}, sizes, 5), Tensor::normal(y, sizes, 6)};
  for (int i = 0; i < 4; ++i)
    if (i > 1 || form.narrow[i])
      for (double &each : all[i].data)
        each = model::roundedToBfloat16(each);
  return all;
}

/// x[g, rows, k] * w[g, k, n], as the tensors have them side by side.
std::vector<double> multiplied(const Tensor &x, const Tensor &w, const Sizes &sizes) {
  int64_t groups = sizes.at("g"), rows = sizes.at("b") * sizes.at("s"),
          depth = sizes.at("h") * sizes.at("d"), columns = sizes.at("n");
  std::vector<double> result(groups * rows * columns);
  for (int64_t row = 0; row < groups * rows; ++row)
    for (int64_t k = 0; k < depth; ++k)
      for (int64_t column = 0; column < columns; ++column)
        result[row * columns + column] +=
            x.data[row * depth + k] * w.data[(row / rows * depth + k) * columns + column];
  return result;
}

/// What is read of weights that are stored as the kernel's operand `number`.
Tensor stored(Kernel &kernel, unsigned number, const Tensor &weights, const Sizes &sizes) {
  GuardedTensor memory(kernel.op().getLayoutsAttr()[number],
                       model::typeOf(kernel.op().getOperand(number)).getElement(), weights, sizes);
  memory.put(weights);
  return memory.get();
}

Tensor wanted(Kernel &kernel, size_t body, const std::vector<Tensor> &in, const Sizes &sizes) {
  std::vector<double> one = multiplied(in[0], stored(kernel, 2, in[2], sizes), sizes),
                      other = multiplied(body == 3 ? in[1] : in[0], stored(kernel, 3, in[3], sizes),
                                         sizes);
  Tensor want({"g", "b", "s", "n"}, sizes);
  for (size_t i = 0; i < one.size(); ++i) {
    double bias = in[4].data[i % in[4].data.size()];
    double all[] = {one[i], std::max(one[i] + bias, 0.0) + in[5].data[i], one[i] * other[i],
                    one[i] + other[i] + bias};
    want.data[i] = all[body];
  }
  return want;
}

class PairedProductsTest : public EveryIsa {};

Kernel drawn(cpu::Isa isa, Draw &draw, const Form &form, const Sizes &known) {
  std::vector<std::string> dims;
  for (std::string name : {"g", "b", "s", "h", "d", "n"})
    dims.push_back(known.contains(name) ? fmt::format("{}={}", name, known.at(name)) : name);
  auto layout = [&](int side) {
    int64_t lie = draw.below(form.alongSum ? leftsAlongSum : int64_t(lefts.size()));
    return fmt::format("#kernel.layout<{}{}>", lefts[size_t(lie)],
                       form.narrow[side] ? ", storage = bf16" : "");
  };
  std::string text = fmt::format(
      R"(
!x = !model.tensor<f32, g, b, s, h, d>
!w = !model.tensor<f32, g, h, d, n>
!y = !model.tensor<f32, g, b, s, n>
!b = !model.tensor<f32, n>
!s = !model.tensor<f32>
func.func @f(%x1: !x, %x2: !x, %w1: !w, %w2: !w, %b1: !b, %r: !y) {{
  %u = kernel.fused contraction "drawn" (%a = %x1 : !x, %z = %x2 : !x, %p = %w1 : !w, %q = %w2 : !w, %bias = %b1 : !b, %rest = %r : !y)
      -> (!y) attributes {{
      layouts = [{0}, {1}, {2}, {3}, #kernel.layout<n: "1">, {4}, {4}], SCHEDULE }} {{
    {5}
    kernel.yield %o : !y
  }}
  return
}})",
      layout(0), layout(1), form.panels(0), form.panels(1),
      R"(#kernel.layout<g: "b * s * n", b: "s * n", s: "n", n: "1">)", bodies[form.body]);
  // Blocks hold whole words, and whole groups where weights share scales.
  const int64_t rows[] = {8, 16, 32, 40, 96}, columns[] = {48, 96, 144},
                k[] = {32, 64, 160, 4, 48, 100};
  const int64_t depths = form.isPaired(0) && form.isPaired(1) ? 6 : 3;
  return Kernel(isa,
                module(dims, text,
                       blocks(rows[draw.below(5)], columns[draw.below(3)], k[draw.below(depths)],
                              {.rowsFirst = draw.chance(0.5), .nonTemporal = draw.chance(0.5)})));
}

int64_t sizeAbout(Draw &draw, int64_t tile) {
  return draw.chance(0.3) ? 1 + draw.below(5) : std::max<int64_t>(1, tile - 1 + draw.below(3));
}

Sizes sizesFrom(Draw &draw) {
  const int64_t tiles[] = {1, 6, 8, 16, 32, 64};
  auto about = [&] { return sizeAbout(draw, tiles[draw.below(6)]); };
  int64_t b = 1 + draw.below(3), h = 1 + draw.below(3);
  return {{"g", 1 + draw.below(2)}, {"b", b},      {"s", about()}, {"h", h},
          {"d", about()},           {"n", about()}};
}

void checkDrawn(cpu::Isa isa, Draw &draw, const Form &form) {
  Sizes sizes = sizesFrom(draw), known;
  for (const auto &[name, size] : sizes)
    if (draw.chance(0.3))
      known[name] = size;
  Kernel kernel = drawn(isa, draw, form, known);
  ASSERT_TRUE(kernel.ok());
  // Tiles multiply all terms or none, words those that are pairs, and numbers that share scales
  // where the left side lies along the sum and there may be many rows.
  auto has = [&](const char *core) { return kernel.llvm().find(core) != std::string::npos; };
  const bool byWords = isa == cpu::Isa::avx512_bf16;
  if (isa == cpu::Isa::amx && form.hasPairs())
    EXPECT_TRUE(has(".amx."));
  EXPECT_EQ(has(".panels.dots."), byWords && form.multiplies(/*paired=*/true));
  const bool widens = has(".i8.dots.") || has(".i4.dots."); // of few rows
  if (byWords && form.alongSum && !(known.contains("b") && known.contains("s"))) {
    EXPECT_EQ(has(".scaled."), form.multiplies(/*paired=*/false));
    EXPECT_EQ(widens, form.multiplies(/*paired=*/false));
  }
  if (widens)
    EXPECT_TRUE(byWords && form.multiplies(/*paired=*/false));
  if (has(".scaled."))
    EXPECT_TRUE((byWords || isa == cpu::Isa::amx) && form.multiplies(/*paired=*/false));
  for (int more = 0; more < 3; ++more) {
    std::string trace;
    for (const auto &[name, size] : sizes)
      trace += fmt::format("{}={} ", name, size);
    SCOPED_TRACE(trace);
    std::vector<Tensor> inputs = inputsFor(form, sizes);
    Tensor want = wanted(kernel, form.body, inputs, sizes);
    ASSERT_TRUE(close(kernel.run(sizes, inputs)[0], want, 4e-6));
    sizes = sizesFrom(draw);
    for (const auto &[name, size] : known)
      sizes[name] = size;
  }
}

TEST_P(PairedProductsTest, AgreeWithSums) {
  Seeds seeds(12);
  for (uint64_t seed = seeds.first; seed < seeds.first + seeds.count; ++seed) {
    SCOPED_TRACE(seed);
    Draw draw(seed);
    Form form{size_t(draw.below(int64_t(bodies.size()))), {draw.chance(0.8), draw.chance(0.6)}};
    checkDrawn(GetParam(), draw, form);
  }
}

// Of whole numbers that share scales, by left sides of either kind.
TEST_P(PairedProductsTest, OfGroupsAgreeWithSums) {
  static const std::vector<std::string> storages{"bf16", "i8", "i8", "i4"};
  Seeds seeds(12);
  for (uint64_t seed = seeds.first; seed < seeds.first + seeds.count; ++seed) {
    SCOPED_TRACE(seed);
    Draw draw(seed);
    Form form{size_t(draw.below(int64_t(bodies.size()))), {draw.chance(0.9), draw.chance(0.8)}};
    for (std::string &storage : form.storages)
      storage = draw.one(storages);
    form.alongSum = draw.chance(0.8);
    checkDrawn(GetParam(), draw, form);
  }
}

// A task shapes the tiles of AMX once where its register tiles are equally high.
TEST(AmxTiles, AreShapedOncePerTask) {
  if (runtime::machineRuns(WEFT_ISA_AMX))
    GTEST_SKIP() << "they are counted where they are emulated";
  Draw draw(1);
  for (bool isKnown : {false, true}) {
    Sizes sizes{{"g", 2}, {"b", 2}, {"s", 64}, {"h", 3}, {"d", 50}, {"n", 200}};
    Kernel kernel = drawn(cpu::Isa::amx, draw, {1}, isKnown ? sizes : Sizes{});
    ASSERT_TRUE(kernel.ok());
    int64_t before = tiles::configurations();
    std::vector<Tensor> inputs = inputsFor({1}, sizes);
    kernel.run(sizes, inputs, {{0, 5}});
    // Tasks run three times, twice each alone and once in a range, where neighbours are done as
    // one; and again where the result takes the place of the residual.
    int64_t times = 1 + kernel.inPlaceRuns(), tasks = kernel.tasks(sizes);
    EXPECT_GT(tasks, 1);
    EXPECT_GT(tiles::configurations() - before, times * 2 * tasks);
    EXPECT_LE(tiles::configurations() - before, times * 3 * tasks);
  }
}

/// AMX's own instructions, or the calls that stand for them.
bool usesTiles(const llvm::CallInst &call) {
  const llvm::Function *callee = call.getCalledFunction();
  llvm::StringRef name = callee ? callee->getName() : "";
  return name.starts_with("llvm.x86.t") || name.starts_with("llvm.x86.ldtile") ||
         name.starts_with("weft_tiles_");
}

/// An instruction, and not what LLVM may make a call of; a core, by its name or out of a table.
bool keepsTiles(const llvm::CallInst &call) {
  if (const llvm::Function *callee = call.getCalledFunction())
    return usesTiles(call) || callee->getName().starts_with("core.") ||
           (callee->isIntrinsic() && !llvm::isa<llvm::MemIntrinsic>(call));
  auto *load = llvm::dyn_cast<llvm::LoadInst>(call.getCalledOperand());
  const llvm::Value *from = load ? llvm::getUnderlyingObject(load->getPointerOperand()) : nullptr;
  return from && from->getName().starts_with("cores.");
}

// Where tiles hold something, nothing is called but their own instructions, and cores.
TEST(AmxTiles, OutliveNoCall) {
  Draw draw(2);
  for (size_t body = 0; body < bodies.size(); ++body) {
    Kernel kernel = drawn(cpu::Isa::amx, draw, {body}, {});
    ASSERT_TRUE(kernel.ok());
    // Where the rest of it runs, so do AMX's instructions, if only into a trap.
    EXPECT_EQ(kernel.llvm().find("llvm.x86.tdpbf16ps") != std::string::npos,
              runtime::machineRuns(WEFT_ISA_AVX512));
    llvm::LLVMContext context;
    llvm::SMDiagnostic problem;
    auto module = llvm::parseAssemblyString(kernel.llvm(), problem, context);
    ASSERT_TRUE(module) << problem.getMessage().str();
    int cores = 0, tasks = 0;
    for (const llvm::Function &function : *module) {
      llvm::SmallVector<const llvm::CallInst *> calls;
      for (const llvm::Instruction &each : llvm::instructions(function))
        if (auto *call = llvm::dyn_cast<llvm::CallInst>(&each))
          calls.push_back(call);
      if (llvm::none_of(calls, [](const auto *call) { return usesTiles(*call); }))
        continue;
      ++(function.getName().starts_with("core.") ? cores : tasks);
      EXPECT_TRUE(function.hasFnAttribute("no-builtins")) << function.getName().str();
      for (const llvm::CallInst *call : calls) {
        std::string text;
        llvm::raw_string_ostream(text) << *call;
        EXPECT_TRUE(keepsTiles(*call)) << function.getName().str() << ": " << text;
      }
    }
    EXPECT_GE(cores, 1);
    EXPECT_EQ(tasks, 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Isa, PairedProductsTest, everyIsaOfProducts(), isaName);

} // namespace
