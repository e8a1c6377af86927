// One `kernel.fused`, compiled for one instruction set in this process.
#include "tools/kernel/CompiledKernel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"

using namespace llvm;

namespace weft::trial {

mlir::OwningOpRef<mlir::ModuleOp> alone(kernel::FusedOp op) {
  mlir::OpBuilder builder(op.getContext());
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(builder, op.getLoc());
  builder.setInsertionPointToEnd(module->getBody());
  for (auto dim : op->getParentOfType<mlir::ModuleOp>().getOps<model::DimOp>())
    builder.clone(*dim);
  auto type = builder.getFunctionType(op.getOperandTypes(), {});
  auto function = mlir::func::FuncOp::create(builder, op.getLoc(), "kernel", type);
  mlir::Block *body = function.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  builder.clone(*op)->setOperands(body->getArguments());
  mlir::func::ReturnOp::create(builder, op.getLoc());
  return module;
}

CompiledKernel::CompiledKernel(mlir::ModuleOp module, cpu::Isa isa)
    : table(kernel::DimTable::of(module)), jit(isa) {
  module.walk([&](kernel::FusedOp each) { kernel = each; });
  why = compile(isa);
}

std::optional<std::string> CompiledKernel::compile(cpu::Isa isa) {
  if (!kernel)
    return "there is no kernel in the module";
  std::string said;
  mlir::ScopedDiagnosticHandler listening(kernel.getContext(), [&](mlir::Diagnostic &each) {
    said += (said.empty() ? "" : "; ") + each.str();
  });
  cpu::IsaEmission emission(jit.module(), isa, table);
  mlir::FailureOr<cpu::KernelFunctions> functions = cpu::emitKernel(kernel, "kernel", emission);
  if (failed(functions))
    return "the kernel was refused: " + said;
  auto nameOf = [](Function *function) { return function ? function->getName().str() : ""; };
  std::string names[] = {nameOf(functions->run),     nameOf(functions->tasks),
                         nameOf(functions->scratch), nameOf(functions->join),
                         nameOf(functions->joins),   nameOf(functions->shared)};
  std::string rows = functions->rows ? functions->rows->getName().str() : "";
  if (functions->rows)
    functions->rows->setLinkage(GlobalValue::ExternalLinkage);
  if (!jit.compile())
    return "the builder of the kernel wrote invalid LLVM IR: " + jit.problem();
  run = jit.function<Run>(names[0]);
  countTasks = jit.function<Count>(names[1]);
  countScratch = jit.function<Count>(names[2]);
  bool joins = !names[3].empty();
  if (joins) {
    join = jit.function<Run>(names[3]);
    countJoins = jit.function<Count>(names[4]);
    countShared = jit.function<Count>(names[5]);
  }
  if (!rows.empty())
    ofRuns = static_cast<const WeftRows *>(jit.address(rows));
  if (!run || !countTasks || !countScratch || (joins && (!join || !countJoins || !countShared)) ||
      (!rows.empty() && !ofRuns))
    return "the code does not link: " + jit.problem();
  return std::nullopt;
}

std::vector<CompiledKernel::Launch>
CompiledKernel::launches(const std::vector<int64_t> &sizes) const {
  std::vector<Launch> all{{run, countTasks(sizes.data())}};
  if (join)
    all.push_back({join, countJoins(sizes.data())});
  return all;
}

std::vector<int64_t> CompiledKernel::numbered(const Sizes &sizes) const {
  std::vector<int64_t> result(table.dims.size());
  for (const auto &dim : table.dims) {
    auto at = sizes.find(dim.getKey().str());
    result[dim.getValue().number] =
        at != sizes.end() ? at->second : dim.getValue().size.value_or(0);
  }
  return result;
}

} // namespace weft::trial
