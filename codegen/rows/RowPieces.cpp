// Elements of a tensor that a thread reads or writes at once: those of lanes that stand side by
// side.
#include "codegen/emit/Loops.h"
#include "codegen/rows/RowMemory.h"

using namespace llvm;

namespace weft::rows {

static bool isOne(Value *value) {
  auto *constant = dyn_cast<ConstantInt>(value);
  return constant && constant->isOne();
}

/// Of one element of a piece in memory, or of two.
static Type *pieceType(IRBuilderBase &builder, const Stored &element, unsigned count) {
  return element.narrow ? FixedVectorType::get(builder.getInt32Ty(), count / 2)
                        : FixedVectorType::get(element.memory, count);
}

static Align alignOf(const Stored &element, unsigned count) {
  return Align(element.align().value() * count);
}

/// Where lanes are masked each for itself, they are read so.
std::optional<RowMemory::Piece> RowMemory::pieceOf(const MemoryTensor &tensor,
                                                   const RowFrame &frame) const {
  if (lanes > 1 || tensor.beside == 1 || frame.mask)
    return std::nullopt;
  bool ownRow = all_of(
      tensor.strides, [&](const auto &each) { return frame.find(each.first)->loop == each.first; });
  if (tensor.inOwnRow && !ownRow)
    return std::nullopt;
  for (const auto &[dim, stride] : tensor.strides)
    if (const Place *place = frame.find(dim); place && place->first && isOne(stride))
      if (unsigned count = std::min(tensor.beside, place->together); count > 1)
        return Piece{dim, place, count};
  return std::nullopt;
}

Value *RowMemory::addressOf(const MemoryTensor &tensor, const RowFrame &frame, const Piece &piece) {
  Address address = locate(tensor, frame.with(piece.dim, piece.place->first));
  return builder.CreateConstGEP1_64(tensor.element.memory, address.base, piece.start());
}

// Once for all of its lanes, in the scope that knows where it is.
Value *RowMemory::loadPiece(const MemoryTensor &tensor, const RowFrame &frame, const Piece &piece) {
  SmallVector<const void *, 6> at;
  unsigned level = 0;
  for (const auto &[dim, stride] : tensor.strides) {
    const Place *place = dim == piece.dim ? piece.place->first : frame.find(dim);
    level = std::max({level, place->level, dim == piece.dim ? piece.place->level : 0});
    at.push_back(place);
  }
  at.push_back(reinterpret_cast<const void *>(uintptr_t(piece.start())));
  Scopes::Key key{tensor.address, at, frame.tail};
  if (Value *known = scopes.known(key, level))
    return known;
  const Stored &element = tensor.element;
  Type *type = pieceType(builder, element, piece.count);
  Value *loaded = scopes.at(level, [&]() -> Value * {
    Value *address = addressOf(tensor, frame, piece);
    auto load = [&] {
      return Values{builder.CreateAlignedLoad(type, address, alignOf(element, piece.count))};
    };
    if (!frame.tail)
      return load()[0];
    return choose(builder, frame.tail, load,
                  [&] { return Values{Constant::getNullValue(type)}; })[0];
  });
  scopes.remember(key, level, loaded);
  return loaded;
}

Value *RowMemory::elementOf(const Stored &element, Value *piece, unsigned number) {
  if (!element.narrow)
    return builder.CreateExtractElement(piece, uint64_t(number));
  Value *both = builder.CreateExtractElement(piece, uint64_t(number / 2));
  Value *bits = number % 2 == 0 ? builder.CreateShl(both, 16)
                                : builder.CreateAnd(both, builder.getInt32(0xffff0000));
  return builder.CreateBitCast(bits, builder.getFloatTy());
}

/// Values as they lie side by side.
Value *RowMemory::packed(const Stored &element, ArrayRef<Value *> values) {
  Value *all = PoisonValue::get(pieceType(builder, element, values.size()));
  if (!element.narrow) {
    for (auto [i, value] : enumerate(values))
      all = builder.CreateInsertElement(all, value, uint64_t(i));
    return all;
  }
  for (unsigned i = 0; i < values.size(); i += 2)
    all = builder.CreateInsertElement(all, numbers.narrowed(builder, values[i], values[i + 1]),
                                      uint64_t(i / 2));
  return all;
}

void RowMemory::storeOne(const Stored &element, Value *value, Value *address) {
  if (!element.narrow || !numbers.narrowed)
    return element.store(builder, value, address);
  Value *both = numbers.narrowed(builder, value, ConstantFP::get(value->getType(), 0));
  builder.CreateAlignedStore(builder.CreateTrunc(both, element.memory), address, element.align());
}

void RowMemory::storeAll(const MemoryTensor &tensor, ArrayRef<Value *> values,
                         ArrayRef<RowFrame> frames) {
  auto isWhole = [&](const Piece &piece, ArrayRef<RowFrame> lanes) {
    if (lanes.size() < piece.count)
      return false;
    for (unsigned i = 0; i < piece.count; ++i) {
      const Place *place = lanes[i].find(piece.dim);
      if (place->first != piece.place->first || place->number != piece.start() + i)
        return false;
    }
    return true;
  };
  while (!frames.empty()) {
    std::optional<Piece> piece = pieceOf(tensor, frames.front());
    unsigned count = piece && isWhole(*piece, frames) ? piece->count : 1;
    if (count == 1) {
      store(tensor, values.front(), frames.front());
    } else {
      Value *isThere = frames.front().tail ? frames.front().tail : builder.getTrue();
      when(builder, isThere, [&] {
        builder.CreateAlignedStore(packed(tensor.element, values.take_front(count)),
                                   addressOf(tensor, frames.front(), *piece),
                                   alignOf(tensor.element, count));
      });
    }
    values = values.drop_front(count);
    frames = frames.drop_front(count);
  }
}

Value *RowMemory::before(const MemoryTensor &tensor, const RowFrame &frame) {
  Value *all = builder.getInt64(0);
  for (const auto &[dim, stride] : tensor.strides)
    if (const Place *place = frame.find(dim))
      all = builder.CreateNSWAdd(all, builder.CreateNSWMul(place->base, stride));
  return all;
}

} // namespace weft::rows
