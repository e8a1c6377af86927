// What a kernel has to do at least: of a scatter onto another value, its rows.
#include "ir/kernel/work/Work.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace weft;

namespace {

/// Rows of `model` numbers are added to a value of `vocab` of them, which lies as `layout` says.
std::string onto(const std::string &layout) {
  return R"mlir(
model.dim @seq
model.dim @vocab = #model.size<1000>
model.dim @model = #model.size<8>
func.func @f(%x: !model.tensor<f32, seq, model>, %t: !model.tensor<i32, seq>, %o: !model.tensor<f32, vocab, model>) {
  %r = kernel.fused scatter "embed" (%a = %x : !model.tensor<f32, seq, model>, %b = %t : !model.tensor<i32, seq>,
                                     %c = %o : !model.tensor<f32, vocab, model>) -> (!model.tensor<f32, vocab, model>)
      attributes {layouts = [#kernel.layout<seq: "8", model: "1">, #kernel.layout<seq: "1">, #kernel.layout<)mlir" +
         layout + R"mlir(>,
                             #kernel.layout<vocab: "8", model: "1">]} {
    %s = model.scatter %a "vocab" = %b : !model.tensor<f32, seq, model>, !model.tensor<i32, seq> -> !model.tensor<f32, vocab, model>
    %u = model.add %s, %c : !model.tensor<f32, vocab, model>, !model.tensor<f32, vocab, model>
    kernel.yield %u : !model.tensor<f32, vocab, model>
  }
  return
}
)mlir";
}

kernel::Work workOf(const std::string &text, int64_t seq) {
  mlir::MLIRContext context;
  context.loadDialect<model::ModelDialect, kernel::KernelDialect, mlir::func::FuncDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  auto table = kernel::DimTable::of(*module);
  mlir::FailureOr<kernel::Work> work = mlir::failure();
  module->walk([&](kernel::FusedOp op) {
    work = kernel::workOf(op, table, [&](const Size &size) {
      return *table.folded(size).evaluate([&](const std::string &) { return std::optional(seq); });
    });
  });
  return work.value_or(kernel::Work());
}

constexpr int64_t table = 1000 * 8 * 4; ///< bytes of it

TEST(Work, OfRowsThatAreAddedWhereTheyLie) {
  kernel::Work work = workOf(onto(R"(vocab: "8", model: "1")"), 5);
  int64_t rows = 5 * 8 * 4;
  EXPECT_EQ(work.others, 5 * 8);
  EXPECT_EQ(work.written, rows);
  EXPECT_EQ(work.read, rows + 5 * 4 + rows);
}

TEST(Work, OfMoreRowsThanThereArePlaces) {
  kernel::Work work = workOf(onto(R"(vocab: "8", model: "1")"), 3000);
  EXPECT_EQ(work.written, table);
  EXPECT_EQ(work.read, 3000 * 8 * 4 + 3000 * 4 + table);
}

TEST(Work, OfWhatIsCopiedFirst) {
  kernel::Work work = workOf(onto(R"(vocab: "1", model: "1000")"), 5);
  EXPECT_EQ(work.written, table);
  EXPECT_EQ(work.read, 5 * 8 * 4 + 5 * 4 + table);
}

} // namespace
