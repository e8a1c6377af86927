// Structured control flow over IRBuilder: loops that carry values, conditions, and the whole-number
// arithmetic around them.
#ifndef WEFT_CODEGEN_EMIT_LOOPS_H
#define WEFT_CODEGEN_EMIT_LOOPS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace weft::emit {

using Values = llvm::SmallVector<llvm::Value *>;

/// Bytes of a cache line: what scratch and stack slots are aligned to.
constexpr int64_t cacheLine = 64;

/// for (i = low; i < high; i += step) carried = body(i, carried); returns the values carried after
/// the last pass. The body may emit blocks; it returns as many values as it was given. LLVM unrolls
/// as many passes as `unroll` says, and does not vectorize the loop.
Values carryingLoop(
    llvm::IRBuilderBase &builder, llvm::Value *low, llvm::Value *high, llvm::Value *step,
    llvm::ArrayRef<llvm::Value *> initial,
    llvm::function_ref<Values(llvm::Value *index, llvm::ArrayRef<llvm::Value *> carried)> body,
    int64_t unroll = 1);

/// for (i = low; i < high; i += step) body(i).
void loop(llvm::IRBuilderBase &builder, llvm::Value *low, llvm::Value *high, llvm::Value *step,
          llvm::function_ref<void(llvm::Value *index)> body);
/// The same from 0 by 1.
void loop(llvm::IRBuilderBase &builder, llvm::Value *count,
          llvm::function_ref<void(llvm::Value *index)> body);

/// while (condition(carried)) carried = body(carried); returns what is carried at the end.
Values
repeatWhile(llvm::IRBuilderBase &builder, llvm::ArrayRef<llvm::Value *> initial,
            llvm::function_ref<llvm::Value *(llvm::ArrayRef<llvm::Value *> carried)> condition,
            llvm::function_ref<Values(llvm::ArrayRef<llvm::Value *> carried)> body);

/// if (condition) then().
void when(llvm::IRBuilderBase &builder, llvm::Value *condition, llvm::function_ref<void()> then);
/// condition ? then() : otherwise(), with as many values from both. A constant condition emits one
/// side only.
Values choose(llvm::IRBuilderBase &builder, llvm::Value *condition,
              llvm::function_ref<Values()> then, llvm::function_ref<Values()> otherwise);

/// Signed minimum and maximum of i64.
llvm::Value *minimum(llvm::IRBuilderBase &builder, llvm::Value *a, llvm::Value *b);
llvm::Value *maximum(llvm::IRBuilderBase &builder, llvm::Value *a, llvm::Value *b);
/// a / b rounded up, and a rounded up to a multiple of b; a >= 0, b > 0.
llvm::Value *ceilDiv(llvm::IRBuilderBase &builder, llvm::Value *a, llvm::Value *b);
llvm::Value *roundUp(llvm::IRBuilderBase &builder, llvm::Value *a, int64_t b);

/// A mask of `lanes` i1: those below `count` (i64, at most a few).
llvm::Value *firstLanes(llvm::IRBuilderBase &builder, llvm::Value *count, unsigned lanes);

/// A fixed number of elements on the stack, aligned to `alignment` bytes; the alloca is in the
/// entry block, whatever loop this is called in.
llvm::Value *stackSlot(llvm::IRBuilderBase &builder, llvm::Type *element, int64_t count,
                       unsigned alignment);

} // namespace weft::emit

#endif // WEFT_CODEGEN_EMIT_LOOPS_H
