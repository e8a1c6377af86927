// How a rows kernel reads and writes memory.
#include "codegen/rows/RowMemory.h"

#include "codegen/emit/Loops.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace weft::rows {

static bool isNumber(Value *value, uint64_t number) {
  auto *constant = dyn_cast_or_null<ConstantInt>(value);
  return constant && constant->equalsInt(number);
}

SmallVector<MemoryTensor> bufferTensors(Frame frame, kernel::FusedOp op) {
  SmallVector<MemoryTensor> result;
  for (auto [i, attribute] : enumerate(op.getLayoutsAttr())) {
    MemoryTensor tensor;
    tensor.address = frame.buffer(i);
    unsigned operands = op.getNumOperands();
    mlir::Value value = i < operands ? op.getOperand(i) : mlir::Value(op.getResult(i - operands));
    auto layout = cast<kernel::LayoutAttr>(attribute);
    tensor.element = Stored(frame.builder.getContext(), model::typeOf(value), layout);
    for (auto [dim, stride] : zip(layout.getDims(), layout.getStrides()))
      tensor.strides.push_back({dim, frame.emission.size(frame.builder, stride, frame.sizes)});
    result.push_back(tensor);
  }
  return result;
}

Value *RowMemory::splat(Value *value) {
  return value->getType()->isVectorTy() ? value : builder.CreateVectorSplat(lanes, value);
}

Value *RowMemory::laneNumbers() {
  SmallVector<uint64_t> numbers = to_vector(seq<uint64_t>(0, lanes));
  return ConstantDataVector::get(builder.getContext(), numbers);
}

/// A position and what is known of it: how many elements it is ahead of another, or null. Lanes
/// that a thread of a device computes together then have one address, and what is known beside it.
std::pair<Value *, Value *> RowMemory::apart(Value *position, Value *stride) const {
  auto *sum = dyn_cast<BinaryOperator>(position);
  if (lanes > 1 || !sum || sum->getOpcode() != Instruction::Add || !isa<ConstantInt>(stride))
    return {position, nullptr};
  auto *known = dyn_cast<ConstantInt>(sum->getOperand(1));
  if (!known)
    return {position, nullptr};
  return {sum->getOperand(0), builder.CreateNSWMul(known, stride)};
}

// The sum of positions times strides, each term in the scope that knows it, so that the rest of the
// address stays outside the inner loops.
RowMemory::Address RowMemory::locate(const MemoryTensor &tensor, const RowFrame &frame) {
  SmallVector<std::pair<const Place *, Value *>> terms;
  for (unsigned level = 0; level <= scopes.innermost(); ++level)
    for (const auto &[dim, stride] : tensor.strides)
      if (const Place *place = frame.find(dim); place && place->level == level)
        terms.push_back({place, stride});
  if (terms.size() != tensor.strides.size())
    reportFatalInternalError("no position along a dimension of a tensor in memory");
  Address address{tensor.address};
  for (const auto &[place, stride] : terms) {
    if (!place->base || isNumber(place->base, 0))
      continue;
    scopes.at(place->level, [&, place = place, stride = stride] {
      auto [from, ahead] = apart(place->base, stride);
      Value *offset = builder.CreateNSWMul(from, stride);
      address.base = builder.CreateGEP(tensor.element.memory, address.base, offset);
      if (ahead)
        address.base = builder.CreateGEP(tensor.element.memory, address.base, ahead);
      return address.base;
    });
  }
  Value *zero = builder.getInt64(0);
  for (const auto &[place, stride] : terms)
    if (place->step) {
      Value *step = builder.CreateNSWMul(place->step, stride);
      address.step = address.step ? builder.CreateNSWAdd(address.step, step) : step;
    }
  if (isNumber(address.step, 0))
    address.step = nullptr;
  for (const auto &[place, stride] : terms)
    if (place->lanes && !isNumber(stride, 0)) {
      Value *offsets = builder.CreateMul(place->lanes, splat(stride));
      address.offsets = address.offsets ? builder.CreateAdd(address.offsets, offsets) : offsets;
    }
  if (address.offsets && address.step) {
    Value *steps = builder.CreateMul(laneNumbers(), splat(address.step));
    address.offsets = builder.CreateAdd(address.offsets, steps);
    address.step = zero;
  }
  return address;
}

Value *RowMemory::pointers(const Address &address, const Stored &element) {
  Value *offsets =
      address.offsets ? address.offsets : builder.CreateMul(laneNumbers(), splat(address.step));
  return builder.CreateGEP(element.memory, address.base, offsets);
}

/// The lanes that exist and may be read; null if all.
Value *RowMemory::allLanes(const RowFrame &frame) {
  if (!frame.mask)
    return frame.tail;
  Value *mask = lanes > 1 ? splat(frame.mask) : frame.mask;
  return frame.tail ? builder.CreateAnd(mask, frame.tail) : mask;
}

/// Of a thread's lane, which may be none: what is the same for others is read in any case.
Value *RowMemory::whetherThere(const MemoryTensor &tensor, const RowFrame &frame) {
  bool ofLane = any_of(tensor.strides, [&](const auto &each) {
    const Place *place = frame.find(each.first);
    return place && place->first;
  });
  RowFrame there = frame;
  if (!ofLane)
    there.tail = nullptr;
  return allLanes(there);
}

Value *RowMemory::load(const MemoryTensor &tensor, const RowFrame &frame) {
  if (std::optional<Piece> piece = pieceOf(tensor, frame))
    return elementOf(tensor.element, loadPiece(tensor, frame, *piece),
                     piece->place->number - piece->start());
  Address address = locate(tensor, frame);
  const Stored &element = tensor.element;
  if (!address.step && !address.offsets) {
    // A device's threads have no memory of this machine to read instead.
    if (Value *mask = lanes == 1 ? whetherThere(tensor, frame) : nullptr)
      return choose(
          builder, mask, [&] { return Values{element.load(builder, address.base)}; },
          [&] { return Values{Constant::getNullValue(element.loaded())}; })[0];
    if (frame.mask) {
      Value *any =
          frame.mask->getType()->isVectorTy() ? builder.CreateOrReduce(frame.mask) : frame.mask;
      Module &module = *builder.GetInsertBlock()->getModule();
      Constant *zero = Constant::getNullValue(element.memory);
      auto *harmless = new GlobalVariable(module, element.memory, true, GlobalValue::PrivateLinkage,
                                          zero, "zero");
      address.base = builder.CreateSelect(any, address.base, harmless);
    }
    return element.load(builder, address.base);
  }
  Value *mask = allLanes(frame);
  if (isNumber(address.step, 1) && !address.offsets)
    return element.load(builder, address.base, lanes, mask);
  Value *everywhere =
      mask ? mask : Constant::getAllOnesValue(FixedVectorType::get(builder.getInt1Ty(), lanes));
  return element.gather(builder, pointers(address, element), everywhere);
}

void RowMemory::store(const MemoryTensor &tensor, Value *value, const RowFrame &frame) {
  Address address = locate(tensor, frame);
  const Stored &element = tensor.element;
  if (!address.step && !address.offsets) {
    if (value->getType()->isVectorTy())
      reportFatalInternalError("the lanes of a vector are stored in one place");
    Value *isThere = lanes == 1 && frame.tail ? frame.tail : builder.getTrue();
    when(builder, isThere, [&] { storeOne(element, value, address.base); });
    return;
  }
  value = splat(value);
  if (isNumber(address.step, 1) && !address.offsets)
    element.store(builder, value, address.base, frame.tail);
  else
    element.scatter(builder, value, pointers(address, element), frame.tail);
}

} // namespace weft::rows
