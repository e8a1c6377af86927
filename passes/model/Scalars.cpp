// What is known of scalars when a program is built: numbers, and sizes of dimensions.
#include "passes/model/Scalars.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;

namespace weft {

std::optional<double> constantOf(Value scalar, const model::Dims &dims) {
  Operation *op = scalar.getDefiningOp();
  if (!op)
    return std::nullopt;
  auto one = [&](auto apply) -> std::optional<double> {
    auto x = constantOf(op->getOperand(0), dims);
    return x ? std::optional<double>(apply(*x)) : std::nullopt;
  };
  auto two = [&](auto apply) -> std::optional<double> {
    auto a = constantOf(op->getOperand(0), dims), b = constantOf(op->getOperand(1), dims);
    return a && b ? std::optional<double>(apply(*a, *b)) : std::nullopt;
  };
  return llvm::TypeSwitch<Operation *, std::optional<double>>(op)
      .Case([](model::ConstantOp constant) -> std::optional<double> {
        if (auto value = dyn_cast<FloatAttr>(constant.getValue()))
          return value.getValueAsDouble();
        auto value = cast<IntegerAttr>(constant.getValue());
        return value.getType().isInteger(1) ? std::nullopt : std::optional<double>(value.getInt());
      })
      .Case([&](model::SizeOp extent) -> std::optional<double> {
        auto value = dims.resolve(extent.getSize().getValue()).constant();
        return value ? std::optional<double>(*value) : std::nullopt;
      })
      .Case<model::ToFloatOp, model::BroadcastOp, model::ArrangeOp>(
          [&](auto) { return one([](double x) { return x; }); })
      .Case([&](model::NegOp) { return one([](double x) { return -x; }); })
      .Case([&](model::SqrtOp) { return one([](double x) { return std::sqrt(x); }); })
      .Case([&](model::RsqrtOp) { return one([](double x) { return 1 / std::sqrt(x); }); })
      .Case([&](model::AddOp) { return two([](double a, double b) { return a + b; }); })
      .Case([&](model::SubOp) { return two([](double a, double b) { return a - b; }); })
      .Case([&](model::MulOp) { return two([](double a, double b) { return a * b; }); })
      .Case([&](model::DivOp) { return two([](double a, double b) { return a / b; }); })
      .Case([&](model::PowOp) { return two([](double a, double b) { return std::pow(a, b); }); })
      .Default([](Operation *) { return std::nullopt; });
}

std::optional<Size> sizeOf(Value scalar, const model::Dims &dims) {
  Operation *op = scalar.getDefiningOp();
  if (!op)
    return std::nullopt;
  auto two = [&](auto apply) -> std::optional<Size> {
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
