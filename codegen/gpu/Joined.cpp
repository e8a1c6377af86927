// Kernels that are launched as one.
#include "codegen/gpu/Joined.h"

#include "codegen/emit/Loops.h"
#include "codegen/gpu/instructions/Kernel.h"

using namespace llvm;

namespace weft::gpu {

namespace {

constexpr unsigned scratchAlignment = 64; // as scratch itself lies

Value *scratchOf(IRBuilderBase &builder, Function *bytes, Value *sizes) {
  return builder.CreateAnd(builder.CreateNSWAdd(builder.CreateCall(bytes, {sizes}),
                                                builder.getInt64(scratchAlignment - 1)),
                           builder.getInt64(-int64_t(scratchAlignment)));
}

/// A function of the host: the sum over all launches of what `of` gives.
Function *sumOf(StringRef name, ArrayRef<JoinedPart> parts, Emission &host,
                function_ref<Value *(IRBuilderBase &, const DeviceKernel &, Value *)> of) {
  LLVMContext &context = host.module.getContext();
  Function *function = host.function(
      name, FunctionType::get(Type::getInt64Ty(context), {PointerType::get(context, 0)}, false));
  IRBuilder<> builder(&function->getEntryBlock());
  Value *sum = builder.getInt64(0);
  for (const JoinedPart &part : parts)
    sum = builder.CreateNSWAdd(sum,
                               builder.CreateNSWMul(of(builder, part.kernel, function->getArg(0)),
                                                    builder.getInt64(part.launches)));
  builder.CreateRet(sum);
  return function;
}

/// Runs the launches of a part in the blocks from `first` on, each with its buffers and its share
/// of `scratch`. Both advance.
struct PartRunner {
  IRBuilder<> &builder;
  Value *sizes, *buffers, *block;
  Value *first, *scratch;
  unsigned buffer = 0;

  void run(const JoinedPart &part) {
    Value *launches = builder.getInt64(part.launches);
    Value *blocks = builder.CreateCall(part.kernel.part.blocks, {sizes});
    Value *bytes = scratchOf(builder, part.kernel.part.scratch, sizes);
    Value *end = builder.CreateNSWAdd(first, builder.CreateNSWMul(blocks, launches));
    Value *isHere =
        builder.CreateAnd(builder.CreateICmpSGE(block, first), builder.CreateICmpSLT(block, end));
    when(builder, isHere, [&] {
      Value *own = builder.CreateNSWSub(block, first);
      Value *launch = builder.CreateUDiv(own, blocks);
      Value *number =
          builder.CreateNSWAdd(builder.getInt64(buffer),
                               builder.CreateNSWMul(launch, builder.getInt64(part.kernel.buffers)));
      auto narrow = [&](Value *value) { return builder.CreateTrunc(value, builder.getInt32Ty()); };
      builder.CreateCall(part.kernel.part.body,
                         {sizes, builder.CreateInBoundsGEP(builder.getPtrTy(), buffers, number),
                          offset(builder, scratch, builder.CreateNSWMul(launch, bytes)),
                          narrow(builder.CreateURem(own, blocks)), narrow(blocks)});
    });
    first = end;
    scratch = offset(builder, scratch, builder.CreateNSWMul(bytes, launches));
    buffer += part.kernel.buffers * part.launches;
  }
};

} // namespace

DeviceKernel emitJoined(StringRef name, ArrayRef<JoinedPart> parts, Emissions emissions) {
  const LaunchShape &first = parts.front().kernel.shape;
  LaunchShape shape{.threads = first.threads, .resident = first.resident};
  unsigned buffers = 0;
  for (const JoinedPart &part : parts) {
    assert(part.kernel.shape.threads == shape.threads && "blocks of one launch are alike");
    shape.shared = std::max(shape.shared, part.kernel.shape.shared);
    shape.resident = std::min(shape.resident, part.kernel.shape.resident);
    buffers += part.kernel.buffers * part.launches;
  }
  Function *kernel = emissions.device.kernel(name, buffers, shape);
  IRBuilder<> builder(&kernel->getEntryBlock());
  PartRunner runner{builder,
                    kernel->getArg(0),
                    kernel->getArg(1),
                    builder.CreateZExt(blockOf(builder, 0), builder.getInt64Ty()),
                    builder.getInt64(0),
                    kernel->getArg(2)};
  for (const JoinedPart &part : parts)
    runner.run(part);
  builder.CreateRetVoid();
  auto blocks = [](IRBuilderBase &b, const DeviceKernel &part, Value *sizes) -> Value * {
    return b.CreateCall(part.blocks, {sizes});
  };
  auto scratch = [](IRBuilderBase &b, const DeviceKernel &part, Value *sizes) {
    return scratchOf(b, part.scratch, sizes);
  };
  return {kernel->getName(), buffers, shape,
          sumOf((name + ".blocks").str(), parts, emissions.host, blocks),
          sumOf((name + ".scratch").str(), parts, emissions.host, scratch)};
}

} // namespace weft::gpu
