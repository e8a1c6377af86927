// What is known of scalars when a program is built: numbers, and sizes of dimensions.
#include "passes/model/Scalars.h"

#include "ir/model/Arithmetic.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;

namespace weft {

/// The constant that `scalar` folds to, as an attribute; null if it does not.
static Attribute attributeOf(Value scalar, const model::Dims &dims) {
  Operation *op = scalar.getDefiningOp();
  if (!op)
    return {};
  if (auto constant = dyn_cast<model::ConstantOp>(op))
    return constant.getValue();
  if (auto extent = dyn_cast<model::SizeOp>(op)) {
    auto number = dims.resolve(extent.getSize().getValue()).constant();
    return number
               ? IntegerAttr::get(IntegerType::get(op->getContext(), 64), model::wrapped(*number))
               : Attribute();
  }
  if (op->hasTrait<model::SameByName>())
    return attributeOf(op->getOperand(0), dims);
  if (!op->hasTrait<OpTrait::Elementwise>())
    return {};
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(attributeOf(operand, dims));
    if (!operands.back())
      return {};
  }
  SmallVector<OpFoldResult> folded;
  if (failed(op->fold(operands, folded)) || folded.size() != 1)
    return {};
  if (auto value = dyn_cast<Value>(folded[0]))
    return value == scalar ? Attribute() : attributeOf(value, dims);
  return cast<Attribute>(folded[0]);
}

std::optional<double> constantOf(Value scalar, const model::Dims &dims) {
  Attribute value = attributeOf(scalar, dims);
  if (auto number = dyn_cast_if_present<FloatAttr>(value))
    return number.getValueAsDouble();
  auto whole = dyn_cast_if_present<IntegerAttr>(value);
  return whole && !whole.getType().isInteger(1) ? std::optional<double>(whole.getInt())
                                                : std::nullopt;
}

std::optional<Size> sizeOf(Value scalar, const model::Dims &dims) {
  Operation *op = scalar.getDefiningOp();
  if (!op)
    return std::nullopt;
  // Whole numbers wrap: what they sum up to need not be the sum of sizes.
  auto two = [&](auto apply) -> std::optional<Size> {
    if (!model::typeOf(scalar).isFloat())
      return std::nullopt;
    auto a = sizeOf(op->getOperand(0), dims), b = sizeOf(op->getOperand(1), dims);
    return a && b ? std::optional<Size>(apply(*a, *b)) : std::nullopt;
  };
  return llvm::TypeSwitch<Operation *, std::optional<Size>>(op)
      .Case([](model::ConstantOp constant) -> std::optional<Size> {
        if (auto value = dyn_cast<IntegerAttr>(constant.getValue());
            value && !value.getType().isInteger(1))
          return Size::number(value.getInt());
        auto value = dyn_cast<FloatAttr>(constant.getValue());
        if (!value || std::floor(value.getValueAsDouble()) != value.getValueAsDouble() ||
            std::fabs(value.getValueAsDouble()) > 9e15)
          return std::nullopt;
        return Size::number(int64_t(value.getValueAsDouble()));
      })
      .Case([&](model::SizeOp extent) -> std::optional<Size> {
        return dims.resolve(extent.getSize().getValue());
      })
      .Case([&](model::ToFloatOp cast) { return sizeOf(cast.getInput(), dims); })
      .Case([&](model::AddOp) { return two([](Size a, Size b) { return a + b; }); })
      .Case([&](model::SubOp) { return two([](Size a, Size b) { return a - b; }); })
      .Case([&](model::MulOp) { return two([](Size a, Size b) { return a * b; }); })
      .Default([](Operation *) { return std::nullopt; });
}

} // namespace weft
