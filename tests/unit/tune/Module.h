// Programs that tests of tuning are about.
#ifndef WEFT_TESTS_UNIT_TUNE_MODULE_H
#define WEFT_TESTS_UNIT_TUNE_MODULE_H

#include "ir/cpu/Cpu.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace weft::test {

/// A module of the stage `kernel`, as text.
class ModuleTest : public testing::Test {
protected:
  mlir::ModuleOp read(const char *text) {
    context.loadDialect<model::ModelDialect, kernel::KernelDialect, cpu::CpuDialect,
                        mlir::func::FuncDialect>();
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    return module ? *module : mlir::ModuleOp();
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace weft::test

#endif // WEFT_TESTS_UNIT_TUNE_MODULE_H
