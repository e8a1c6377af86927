// Two kernels that do the same: the host chooses, by the number of their blocks.
#include "codegen/gpu/base/ByRows.h"

using namespace llvm;

namespace weft::gpu {

namespace {
struct Choice {
  ArrayRef<DimAttr> rows;
  int64_t most;
  Emissions emissions;

  /// A function of the host: what `few` gives where rows are few, else `many`; null gives 0.
  Function *of(const Twine &name, Function *few, Function *many) const {
    Emission &host = emissions.host;
    Function *function = host.function(name.str(), (few ? few : many)->getFunctionType());
    IRBuilder<> b(&function->getEntryBlock());
    Value *sizes = function->getArg(0);
    Frame frame{b, host, sizes, ConstantPointerNull::get(b.getPtrTy())};
    Value *areFew = b.CreateICmpSLE(frame.extent(rows), b.getInt64(most));
    auto given = [&](Function *each) -> Value * {
      return each ? static_cast<Value *>(b.CreateCall(each, {sizes})) : b.getInt64(0);
    };
    b.CreateRet(b.CreateSelect(areFew, given(few), given(many)));
    return function;
  }

  /// A kernel and all behind it, where rows are as they should be; then `next`.
  std::shared_ptr<const DeviceKernel> only(bool few, DeviceKernel kernel,
                                           std::shared_ptr<const DeviceKernel> next) const {
    Function *blocks = kernel.blocks;
    kernel.blocks = few ? of(blocks->getName() + ".few", blocks, nullptr)
                        : of(blocks->getName() + ".many", nullptr, blocks);
    kernel.then = kernel.then ? only(few, *kernel.then, std::move(next)) : std::move(next);
    return std::make_shared<const DeviceKernel>(kernel);
  }
};
} // namespace

DeviceKernel chosenByRows(ArrayRef<DimAttr> rows, int64_t most, const DeviceKernel &few,
                          const DeviceKernel &many, Emissions emissions) {
  Choice choice{rows, most, emissions};
  DeviceKernel first = *choice.only(true, few, choice.only(false, many, nullptr));
  first.scratch = choice.of(few.scratch->getName() + ".either", few.scratch, many.scratch);
  return first;
}

} // namespace weft::gpu
