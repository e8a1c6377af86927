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

  KernelText write(const kernel::ExpandedRows &) {
    Size cells;
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
    return {"", blocks.take(), cells * Size::number(8)};
  }

  KernelText write(const kernel::ScanForm &scan) {
    values.loops(scan.outer, Frame(), [&](const Frame &row) {
      if (auto sum = dyn_cast<model::CumSumOp>(scan.op))
        runningSum(sum, row);
      else
        largest(cast<model::TopOp>(scan.op), row);
    });
    return {"", blocks.take(), Size()};
  }

  KernelText write(const kernel::ScatterForm &form) {
    Fold sum = sumOf(typeOf(form.input).getElement());
    values.loops(kernel::dimsOf(program.yielded[0]), Frame(), [&](const Frame &here) {
      blocks.line("{0} = {1};", values.target(0, here), sum.start);
    });
    values.loops(form.index, Frame(), [&](const Frame &row) {
      Place at{"(int64_t)" + values.value(form.at, row), blocks.innermost()};
      values.loops(form.further, row, [&](const Frame &here) {
        std::string x = values.value(form.input, here);
        blocks.line(sum.step, values.target(0, here.with(form.dim, at)), x);
      });
    });
    return {"", blocks.take(), Size()};
  }

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
    for (auto [op, sum] : zip(stage.reductions, sums))
      finish(op, (isa<model::ArgMaxOp>(op) ? "at" : "") + sum, kept);
  }

  /// Adds the reduction's operand where `here` stands to `sum`.
  void add(Operation *op, const std::string &sum, const Frame &here) {
    mlir::Value input = op->getOperand(0);
    auto product = input.getDefiningOp<model::MulOp>();
    std::string x;
    if (product && isa<model::SumOp>(op) && typeOf(input).isFloat() && !values.wide) {
      x = "(double)" + values.value(product.getLhs(), here); // two floats multiply exactly
      x += " * " + values.value(product.getRhs(), here);
    } else {
      x = values.value(input, here);
    }
    auto best = dyn_cast<model::ArgMaxOp>(op);
    blocks.line(foldOf(op, values.wide).step, sum, x, best ? here.at(best.getOver()[0]).text : "");
  }

  void finish(Operation *op, const std::string &sum, const Frame &kept) {
    mlir::Value result = op->getResult(0);
    if (program.inMemory(op))
      return blocks.line("{0} = {1};", values.cell(op, kept), sum);
    std::string name = values.fresh("v");
    blocks.line("const {0} {1} = ({0}){2};", variableType(typeOf(result).getElement(), values.wide),
                name, sum);
    values.define(op, kept, name);
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
    mlir::Type element = typeOf(op.getInput()).getElement();
    Fold fold = sumOf(element);
    DimAttr dim = op.getDimAttr();
    blocks.line("{0} sum = {1};", fold.type, fold.start);
    values.loops(dim, row, [&](const Frame &forth) {
      std::string back = "(" + names.extent(dim) + " - 1 - " + forth.at(dim).text + ")";
      Frame here = op.getReverse() ? forth.with(dim, {back, blocks.innermost()}) : forth;
      std::string x = values.value(op.getInput(), here);
      blocks.line(fold.step, "sum", x);
      blocks.line("{0} = ({1})sum;", values.target(0, here), variableType(element, false));
    });
  }

  // Each pass finds the largest rank below the last one; ranks differ.
  void largest(model::TopOp op, const Frame &row) {
    StringRef rank = typeOf(op.getInput()).isFloat() ? "weft_rank" : "weft_rank_whole";
    blocks.line("int64_t last = INT64_MAX;");
    values.loops(op.getKAttr(), row, [&](const Frame &pass) {
      blocks.line("int64_t best = INT64_MIN;");
      values.loops(op.getDimAttr(), pass, [&](const Frame &here) {
        std::string x = values.value(op.getInput(), here);
        blocks.line("const int64_t rank = {0}({1}, {2});", rank, x, here.at(op.getDimAttr()).text);
        blocks.line("best = rank < last && rank > best ? rank : best;");
      });
      blocks.line("last = best;");
      blocks.line("{0} = (int32_t)(INT32_MAX - (best & UINT32_MAX));", values.target(0, pass));
    });
  }

  const kernel::RowProgram &program;
  const Names &names;
  Blocks blocks;
  Values values;
};

template <class Form>
mlir::FailureOr<KernelText> emitForm(const mlir::FailureOr<Form> &form, const Names &names,
                                     bool wide = false) {
  if (failed(form))
    return mlir::failure();
  return KernelBody(form->program, names, wide).write(*form);
}

mlir::FailureOr<KernelText> emitBody(kernel::FusedOp op, const Names &names) {
  if (op.getFamily() == kernel::Family::scatter)
    return emitForm(kernel::readScatter(op), names);
  if (kernel::isScan(op))
    return emitForm(kernel::readScan(op), names);
  return emitForm(kernel::expandRows(op, names.table, /*lanesMayBeOuter=*/false), names,
                  /*wide=*/op.getFamily() == kernel::Family::table);
}

} // namespace

mlir::FailureOr<KernelText> emitKernel(kernel::FusedOp op, const std::string &name,
                                       const Names &names) {
  if (!op.getLayoutsAttr())
    return op.emitError("has no layouts: the passes of the kernel stage have not run");
  if (op.getFamily() == kernel::Family::pack)
    return op.emitError("packs for the CPU: the kernel stage has run for another target");
  mlir::FailureOr<KernelText> body = emitBody(op, names);
  if (failed(body))
    return mlir::failure();
  body->name = name;
  body->text = formatv("/* {0}: {1} */\nstatic void {2}(const int64_t *sizes, void *const "
                       "*buffers, int64_t begin, int64_t end, char *scratch) {{\n{3}}\n\n",
                       comment(op.getLabel()), stringifyFamily(op.getFamily()), name, body->text);
  return body;
}

} // namespace weft::c
