// How elements lie in memory, and how they come into registers and back.
#ifndef WEFT_CODEGEN_EMIT_STORED_H
#define WEFT_CODEGEN_EMIT_STORED_H

#include "ir/kernel/Kernel.h"

#include "llvm/IR/IRBuilder.h"

namespace weft::emit {

/// Whole numbers are i32 in memory, switches bytes, and floats float32, or bfloat16 where a layout
/// says so. A bfloat16 is widened when it is read and rounded to nearest even when it is stored, so
/// that registers only ever hold float32.
///
/// Rows of whole numbers that share scales (GroupedRow.h) are addressed group by group: `at` takes
/// multiples of 32, `loadOf` what is in a row, and nothing else is for them.
struct Stored {
  /// The type of an element in memory, for addresses; of a group, where `grouped`.
  llvm::Type *memory = nullptr;
  bool narrow = false, grouped = false;

  Stored() = default;
  /// As it is in registers.
  explicit Stored(llvm::Type *memory) : memory(memory) {}
  Stored(llvm::LLVMContext &context, model::NamedTensorType type, mlir::Attribute layout);

  /// What `load` gives and `store` takes: as in memory, but for floats that are narrower there.
  llvm::Type *loaded() const;
  llvm::Align align() const;

  /// The element that is so many further than `base`.
  llvm::Value *at(llvm::IRBuilderBase &b, llvm::Value *base, llvm::Value *elements) const;
  /// `lanes` elements of the row that begins at `row`, from `column` on, a multiple of `lanes`. Of
  /// groups, `lanes` divides 32, and there is no mask.
  llvm::Value *loadOf(llvm::IRBuilderBase &b, llvm::Value *row, llvm::Value *column, unsigned lanes,
                      llvm::Value *mask = nullptr) const;
  /// Of groups: such elements without their scale, as floats; and the scale of the group that
  /// `column` is in.
  llvm::Value *numbersOf(llvm::IRBuilderBase &b, llvm::Value *row, llvm::Value *column,
                         unsigned lanes) const;
  llvm::Value *scaleOf(llvm::IRBuilderBase &b, llvm::Value *row, llvm::Value *column) const;

  llvm::Value *load(llvm::IRBuilderBase &b, llvm::Value *from) const;
  /// Elements side by side. Lanes that are off in `mask`, if there is one, are not touched and read
  /// as 0.
  llvm::Value *load(llvm::IRBuilderBase &b, llvm::Value *from, unsigned lanes,
                    llvm::Value *mask = nullptr) const;
  llvm::Value *gather(llvm::IRBuilderBase &b, llvm::Value *pointers, llvm::Value *mask) const;
  /// A scalar, or elements side by side.
  void store(llvm::IRBuilderBase &b, llvm::Value *value, llvm::Value *to,
             llvm::Value *mask = nullptr) const;
  void scatter(llvm::IRBuilderBase &b, llvm::Value *value, llvm::Value *pointers,
               llvm::Value *mask) const;
};

/// The upper half of each word of the result, which has the shape of `value`, is the float rounded
/// to a bfloat16. Nothing is said of the lower half.
llvm::Value *roundedToUpperHalf(llvm::IRBuilderBase &b, llvm::Value *value);

} // namespace weft::emit

#endif // WEFT_CODEGEN_EMIT_STORED_H
