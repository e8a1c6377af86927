// The MLIR headers that nearly every file of the compiler includes; precompiled once.
#ifndef WEFT_IR_PRECOMPILED_H
#define WEFT_IR_PRECOMPILED_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#endif // WEFT_IR_PRECOMPILED_H
