// The kernels of a program as C functions: loops named after dimensions. Every family is emitted as
// a program of rows from the kernel's region, its idioms expanded.
#include "codegen/c/Elementwise.h"
#include "codegen/c/Functions.h"
#include "codegen/c/Values.h"
#include "ir/kernel/OrderedForm.h"
#include "ir/kernel/RowExpand.h"

using namespace llvm;
using mlir::Operation;

namespace weft::c {

using model::typeOf;

namespace {

/// Writes the body of a kernel.
class KernelBody {
public:
  KernelBody(const kernel::RowProgram &program, const Names &names, bool wide)
      : program(program), names(names), values(program, names, blocks, wide) {}

  void write(const kernel::ExpandedRows &) {
    for (const kernel::RowStage &stage : program.stages)
      for (ArrayRef<Operation *> each : {ArrayRef(stage.reductions), ArrayRef(stage.spread)})
        for (Operation *op : each)
          if (program.inMemory(op))
            cells = cells + values.declareCells(op, cells);
    values.loops(program.outer, Frame(), [&](const Frame &row) {
      values.rowLevel = blocks.innermost();
      for (const kernel::RowStage &stage : program.stages)
        emitStage(stage, row);
    });
  }

  void write(const kernel::ScanForm &scan) {
    values.loops(scan.outer, Frame(), [&](const Frame &row) {
      if (auto sum = dyn_cast<model::CumSumOp>(scan.op))
        runningSum(sum, row);
      else
        largest(cast<model::TopOp>(scan.op), row);
    });
  }

  void write(const kernel::ScatterForm &form) {
    Fold sum = sumOf(typeOf(form.input).getElement());
    values.loops(kernel::dimsOf(program.yielded[0]), Frame(), [&](const Frame &here) {
      blocks.line("{0} = {1};", values.target(0, here),
                  form.base ? values.value(form.base, here) : sum.start);
    });
    values.loops(form.index, Frame(), [&](const Frame &row) {
      Place at{"(int64_t)" + values.value(form.at, row), blocks.innermost()};
      values.loops(form.further, row, [&](const Frame &here) {
        std::string x = values.value(form.input, here);
        blocks.line(sum.step, values.target(0, here.with(form.dim, at)), x);
      });
    });
  }

  Blocks blocks;
  Size cells; ///< of 8 bytes, in scratch

private:
  void emitStage(const kernel::RowStage &stage, const Frame &row) {
    for (Operation *op : stage.spread)
      values.loops(program.inside(op->getResult(0)), row, [&](const Frame &here) {
        blocks.line("{0} = {1};", values.cell(op, here), foldOf(op, values.wide).start);
      });
    DimList kept = stage.kept, over = stage.over;
    if (stage.lanes)
      (stage.lanesKept ? kept : over).append(program.lanes);
    values.loops(kept, row, [&](const Frame &here) { reduce(stage, over, here); });
  }

  void reduce(const kernel::RowStage &stage, const DimList &over, const Frame &kept) {
    SmallVector<std::string> sums;
    for (Operation *op : stage.reductions) {
      Fold fold = foldOf(op, values.wide);
      sums.push_back(values.fresh("r"));
      blocks.line("{0} {1} = {2};", fold.type, sums.back(), fold.start);
      if (isa<model::ArgMaxOp>(op))
        blocks.line("int32_t at{0} = 0;", sums.back());
    }
    values.loops(over, kept, [&](const Frame &here) {
      for (auto [op, sum] : zip(stage.reductions, sums))
        add(op, sum, here);
      for (Operation *op : stage.spread)
        add(op, values.cell(op, here), here);
      store(stage, here);
    });
    for (auto [op, sum] : zip(stage.reductions, sums)) {
      std::string result = (isa<model::ArgMaxOp>(op) ? "at" : "") + sum;
      if (program.inMemory(op))
        blocks.line("{0} = {1};", values.cell(op, kept), result);
      else
        values.define(op, kept, result);
    }
  }

  /// Adds the reduction's operand where `here` stands to `sum`.
  void add(Operation *op, const std::string &sum, const Frame &here) {
    mlir::Value input = op->getOperand(0);
    auto product = input.getDefiningOp<model::MulOp>();
    // Two floats multiply exactly as doubles.
    bool exact = product && isa<model::SumOp>(op) && typeOf(input).isFloat() && !values.wide;
    std::string x = values.value(exact ? product.getLhs() : input, here);
    if (exact)
      x = "(double)" + x + " * " + values.value(product.getRhs(), here);
    auto best = dyn_cast<model::ArgMaxOp>(op);
    blocks.line(foldOf(op, values.wide).step, sum, x, best ? here.at(best.getOver()[0]).text : "");
  }

  void store(const kernel::RowStage &stage, const Frame &here) {
    // All values before the first store: a result may be stored in place of an operand.
    for (unsigned result : stage.stores)
      values.value(program.yielded[result], here);
    for (unsigned result : stage.stores) {
      mlir::Value value = program.yielded[result];
      std::string first;
      for (DimAttr dim : program.outerWithout(value)) // of equal rows, the first stores it
        first += (first.empty() ? "if (" : " && ") + here.at(dim).text + " == 0";
      blocks.line("{0}{1} = {2};", first.empty() ? "" : first + ") ", values.target(result, here),
                  values.value(value, here));
    }
  }

  void runningSum(model::CumSumOp op, const Frame &row) {
    Fold fold = sumOf(typeOf(op.getInput()).getElement());
    DimAttr dim = op.getDimAttr();
    blocks.line("{0} sum = {1};", fold.type, fold.start);
    values.loops(dim, row, [&](const Frame &forth) {
      std::string back = "(" + names.extent(dim) + " - 1 - " + forth.at(dim).text + ")";
      Frame here = op.getReverse() ? forth.with(dim, {back, blocks.innermost()}) : forth;
      std::string x = values.value(op.getInput(), here);
      blocks.line(fold.step, "sum", x);
      blocks.line("{0} = sum;", values.target(0, here));
    });
  }

  // Each pass finds what comes first behind the one that the last pass found.
  void largest(model::TopOp op, const Frame &row) {
    blocks.line("double last = NAN;");
    blocks.line("int64_t at = -1;");
    values.loops(op.getKAttr(), row, [&](const Frame &pass) {
      blocks.line("double best = -INFINITY;");
      blocks.line("int64_t found = INT64_MAX;");
      values.loops(op.getDimAttr(), pass, [&](const Frame &here) {
        std::string x = values.value(op.getInput(), here), i = here.at(op.getDimAttr()).text;
        blocks.line("if (weft_before(last, at, {0}, {1}) && weft_before({0}, {1}, best, found))", x,
                    i);
        blocks.line("  best = {0}, found = {1};", x, i);
      });
      blocks.line("last = best, at = found;");
      blocks.line("{0} = at;", values.target(0, pass));
    });
  }

  const kernel::RowProgram &program;
  const Names &names;
  Values values;
};

} // namespace

mlir::FailureOr<KernelText> emitKernel(kernel::FusedOp op, const std::string &name,
                                       const Names &names) {
  if (op.getFamily() == kernel::Family::pack)
    return op.emitError("packs for the CPU: the kernel stage has run for another target");
  auto emit = [&](auto form) -> mlir::FailureOr<KernelText> {
    if (failed(form))
      return mlir::failure();
    KernelBody body(form->program, names, /*wide=*/op.getFamily() == kernel::Family::table);
    body.write(*form);
    std::string text =
        formatv("/* {0}: {1} */\nstatic void {2}(const int64_t *sizes, void *const "
                "*buffers, int64_t begin, int64_t end, char *scratch) {{\n{3}}\n\n",
                comment(op.getLabel()), stringifyFamily(op.getFamily()), name, body.blocks.take());
    return KernelText{name, text, body.cells * Size::number(8)};
  };
  if (op.getFamily() == kernel::Family::scatter)
    return emit(kernel::readScatter(op));
  if (kernel::isScan(op))
    return emit(kernel::readScan(op));
  return emit(kernel::expandRows(op, names.table, /*lanesMayBeOuter=*/false));
}

} // namespace weft::c
