// What makes a function an entry of a program: attributes of it, of its arguments and of its
// results. The plan of an entry has the same. What a module says of all. The dialect verifies them.
#ifndef WEFT_IR_MODEL_ENTRIES_H
#define WEFT_IR_MODEL_ENTRIES_H

#include "ir/model/Model.h"
#include "ir/model/Precision.h"
#include "ir/model/weights/CacheFormat.h"

#include "mlir/IR/BuiltinOps.h"

namespace weft::model {

namespace attr {
// Of a function or its plan.
/// What it is called (a string). The symbol is the same, unless a dimension or a parameter has that
/// name.
inline constexpr llvm::StringLiteral entry = "model.entry";
/// What it is for (a string, EntryKind).
inline constexpr llvm::StringLiteral kind = "model.kind";
/// The parameters that its source reads (strings), until a gradient by them is derived.
inline constexpr llvm::StringLiteral parameters = "model.parameters";
/// What is left to check of the sizes of a run (RequireAttr).
inline constexpr llvm::StringLiteral requirements = "model.requires";

// Of an argument or a result.
/// What files and callers call it (a string).
inline constexpr llvm::StringLiteral name = "model.name";
/// The parameter or argument of which it is the gradient (a string).
inline constexpr llvm::StringLiteral gradientOf = "model.gradient_of";
/// The cache that it is (a string): an argument and a result of one name are one, written in place.
inline constexpr llvm::StringLiteral cache = "model.cache";
/// How the elements of a cache lie in memory (bf16, or i8: GroupedRow.h), if not as its type says.
inline constexpr llvm::StringLiteral storage = "model.storage";

// Of a module.
/// How it keeps floats (a string, of `precisions`); float32 where it does not say.
inline constexpr llvm::StringLiteral precision = "model.precision";
/// How it keeps caches (a string, of `cacheFormats`); as the precision says where it does not say.
inline constexpr llvm::StringLiteral caches = "model.caches";
/// What gradients may keep of the forward pass (a string, as `--recompute-budget` takes it);
/// everything where it does not say.
inline constexpr llvm::StringLiteral recompute = "model.recompute";
} // namespace attr

/// What the program calls a function or its plan.
llvm::StringRef publicName(mlir::Operation *entry);
/// What it is for; nothing if it does not say.
std::optional<EntryKind> kindOf(mlir::Operation *entry);
/// Whether panels of its parameters are made once and stay, all of them. Not in a training step: it
/// changes the parameters, and panels are as large as they are; of bf16 some are kept (`kept`).
bool packsAhead(mlir::Operation *entry);

Precision precisionOf(mlir::ModuleOp module);
void setPrecision(mlir::ModuleOp module, Precision precision);
/// Nothing where the module does not say.
std::optional<CacheFormat> cacheFormatOf(mlir::ModuleOp module);
void setCacheFormat(mlir::ModuleOp module, CacheFormat format);

} // namespace weft::model

#endif // WEFT_IR_MODEL_ENTRIES_H
