// Moments of small programs against sums that are written out here.
#include "passes/model/moments/Moments.h"
#include "ir/reference/Interpreter.h"
#include "tests/unit/codegen/Draw.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace weft;
using namespace weft::reference;

namespace {

/// Products in a loop with a weight of each pass and with one of all passes; with a dimension that
/// both sides have and that is not added up; and one behind the loop.
constexpr const char *program = R"(
  model.dim @row
  model.dim @layer = <3>
  model.dim @head = <2>
  model.dim @d = <4>
  model.dim @e = <5>
  model.parameter @own : !model.tensor<f32, layer, head, d, e> loops 1
  model.parameter @also : !model.tensor<f32, layer, head, e, d> loops 1
  model.parameter @same : !model.tensor<f32, e, d>
  model.parameter @last : !model.tensor<f32, head, d>
  func.func @loss(%x: !model.tensor<f32, row, head, d> {model.name = "x"}) -> (!model.tensor<f32, row> {model.name = "y"}) attributes {model.entry = "loss", model.kind = "plain"} {
    %y = model.repeat "layer" carry(%z = %x : <f32, row, head, d>) -> !model.tensor<f32, row, head, d> {
      %own = model.param @own : <f32, head, d, e>
      %up = model.contract ["d"] %z, %own : <f32, row, head, d>, <f32, head, d, e>
      %same = model.param @same : <f32, e, d>
      %down = model.contract ["e"] %up, %same : <f32, row, head, e>, <f32, e, d>
      %also = model.param @also : <f32, head, e, d>
      %other = model.contract ["e"] %also, %up : <f32, head, e, d>, <f32, row, head, e>
      %sum = model.add %down, %other : <f32, row, head, d>, <f32, head, d, row>
      model.yield %sum : !model.tensor<f32, row, head, d>
    }
    %last = model.param @last : <f32, head, d>
    %end = model.contract ["head", "d"] %y, %last : <f32, row, head, d>, <f32, head, d>
    return %end : !model.tensor<f32, row>
  }
)";

constexpr int64_t rows = 6, layers = 3, heads = 2, ds = 4, es = 5;

Array random(std::vector<int64_t> shape, test::Draw &draw) {
  Array array;
  array.shape.assign(shape.begin(), shape.end());
  Floats data(size_t(countOf(array.shape)));
  for (double &each : data)
    each = double(draw.below(2001) - 1000) / 1000;
  array.data = data;
  return array;
}

/// The same program by loops: what each product reads, pass by pass.
struct Written {
  std::vector<Floats> z, up; // [pass][row][head][d], [pass][row][head][e]
  Floats end;

  Written(const Array &x, const Array &own, const Array &same, const Array &also) {
    Floats now = x.floats();
    for (int64_t layer = 0; layer < layers; ++layer) {
      z.push_back(now);
      Floats wide(size_t(rows * heads * es)), next(size_t(rows * heads * ds));
      for (int64_t row = 0; row < rows; ++row)
        for (int64_t head = 0; head < heads; ++head)
          for (int64_t d = 0; d < ds; ++d)
            for (int64_t e = 0; e < es; ++e)
              wide[at(row, head, e, es)] +=
                  now[at(row, head, d, ds)] *
                  own.floats()[size_t(((layer * heads + head) * ds + d) * es + e)];
      for (int64_t row = 0; row < rows; ++row)
        for (int64_t head = 0; head < heads; ++head)
          for (int64_t d = 0; d < ds; ++d)
            for (int64_t e = 0; e < es; ++e)
              next[at(row, head, d, ds)] +=
                  wide[at(row, head, e, es)] *
                  (same.floats()[size_t(e * ds + d)] +
                   also.floats()[size_t(((layer * heads + head) * es + e) * ds + d)]);
      up.push_back(wide);
      now = next;
    }
    end = now;
  }
  static size_t at(int64_t row, int64_t head, int64_t last, int64_t count) {
    return size_t((row * heads + head) * count + last);
  }
};

} // namespace

TEST(Moments, AreSumsOverEverythingThatProductsRead) {
  mlir::MLIRContext context;
  context.loadDialect<model::ModelDialect, mlir::func::FuncDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(program, &context);
  ASSERT_TRUE(module);
  auto function = module->lookupSymbol<mlir::func::FuncOp>("loss");
  std::vector<model::Moment> moments = model::addMoments(function);
  ASSERT_TRUE(succeeded(mlir::verify(*module)));
  ASSERT_EQ(moments.size(), 4u);

  auto [seed, count] = test::Seeds(1);
  test::Draw draw(seed);
  Array x = random({rows, heads, ds}, draw), own = random({layers, heads, ds, es}, draw);
  Array also = random({layers, heads, es, ds}, draw), same = random({es, ds}, draw);
  Interpreter interpreter(*module);
  for (auto &[name, value] :
       {std::pair("own", own), {"also", also}, {"same", same}, {"last", random({heads, ds}, draw)}})
    ASSERT_TRUE(succeeded(interpreter.setParameter(name, value)));
  auto results = interpreter.run("loss", {x});
  ASSERT_TRUE(succeeded(results));
  Written written(x, own, same, also);

  std::map<std::string, model::Moment> by;
  for (const model::Moment &moment : moments)
    by[moment.parameter] = moment;
  auto result = [&](const char *parameter) { return (*results)[by.at(parameter).result].floats(); };
  auto shape = [&](const char *parameter) { return (*results)[by.at(parameter).result].shape; };

  // [layer, head, d, d']: each head by itself, whatever of the weight's dimensions it shares
  ASSERT_EQ(countOf(shape("own")), layers * heads * ds * ds);
  ASSERT_EQ(countOf(shape("also")), layers * heads * es * es);
  for (int64_t layer = 0; layer < layers; ++layer)
    for (int64_t head = 0; head < heads; ++head) {
      for (int64_t i = 0; i < ds; ++i)
        for (int64_t j = 0; j < ds; ++j) {
          double sum = 0;
          for (int64_t row = 0; row < rows; ++row)
            sum += written.z[size_t(layer)][Written::at(row, head, i, ds)] *
                   written.z[size_t(layer)][Written::at(row, head, j, ds)];
          EXPECT_NEAR(result("own")[size_t(((layer * heads + head) * ds + i) * ds + j)], sum, 1e-9);
        }
      for (int64_t i = 0; i < es; ++i)
        for (int64_t j = 0; j < es; ++j) {
          double sum = 0;
          for (int64_t row = 0; row < rows; ++row)
            sum += written.up[size_t(layer)][Written::at(row, head, i, es)] *
                   written.up[size_t(layer)][Written::at(row, head, j, es)];
          EXPECT_NEAR(result("also")[size_t(((layer * heads + head) * es + i) * es + j)], sum,
                      1e-9);
        }
    }
  // a weight of all passes and heads: added up over them
  ASSERT_EQ(countOf(shape("same")), es * es);
  for (int64_t i = 0; i < es; ++i)
    for (int64_t j = 0; j < es; ++j) {
      double sum = 0;
      for (const Floats &up : written.up)
        for (int64_t row = 0; row < rows; ++row)
          for (int64_t head = 0; head < heads; ++head)
            sum += up[Written::at(row, head, i, es)] * up[Written::at(row, head, j, es)];
      EXPECT_NEAR(result("same")[size_t(i * es + j)], sum, 1e-9);
    }
  // behind the loop, which has got further results meanwhile: rows are two dimensions
  ASSERT_EQ(countOf(shape("last")), heads * ds * heads * ds);
  for (int64_t i = 0; i < heads * ds; ++i)
    for (int64_t j = 0; j < heads * ds; ++j) {
      double sum = 0;
      for (int64_t row = 0; row < rows; ++row)
        sum +=
            written.end[size_t(row * heads * ds + i)] * written.end[size_t(row * heads * ds + j)];
      EXPECT_NEAR(result("last")[size_t(i * heads * ds + j)], sum, 1e-9);
    }
}
